import test from 'ava';
import { aparar, emailValido, limparDigitado, temCaractereProibido } from '../../../src/brazil/pessoa/digitado.ts';
import { lerTelefone } from '../../../src/brazil/pessoa/telefone.ts';

test('um texto digitado fica composto, em uma linha e sem marcas invisíveis', (t) => {
  t.is(limparDigitado(' \u202aSa\u0303o\u00a0 Joa\u0303o\r\n\tdo\u200b Vale\u202c '), 'São João do Vale');
  t.is(limparDigitado(' \u200e\n'), '');
});

/** What fills a text without being seen, each as a text of its own. */
const EM_BRANCO = [' ', '\t\r\n', '\u0085', '\u00a0', '\u3000', '\u200b', '\u2060', '\ufeff', '\u200e', '\u202e\u202c'];
const SEM_DESENHO = [
  '\u3164',
  '\u115f\u1160',
  '\uffa0',
  '\u2800',
  '\u00ad',
  '\u034f',
  '\ufe0f',
  '\u{e0041}',
  '\u0000',
  '\u0007',
];

test('um texto é aparado do que ninguém vê, nas pontas e só nelas', (t) => {
  for (const branco of [...EM_BRANCO, ...SEM_DESENHO]) {
    const qual = JSON.stringify(branco);
    t.is(aparar(branco.repeat(3)), '', qual);
    t.is(aparar(`${branco}Sem${branco}luz`), `Sem${branco}luz`, qual);
  }
  for (const branco of EM_BRANCO) t.is(aparar(`Sem luz${branco}${branco}`), 'Sem luz', JSON.stringify(branco));
  t.is(aparar(''), '');
  t.is(aparar('\ud83d'), '\ud83d');
});

test('o que faz parte do último caractere fica com ele', (t) => {
  for (const texto of ['Obrigado \u2764\ufe0f', '1\ufe0f\u20e3', 'Rose\u0301', '🏴\u{e0067}\u{e0062}\u{e007f}']) {
    t.is(aparar(` ${texto}\u200b `), texto);
  }
});

test('um texto longo é aparado no tempo que se leva a lê-lo', (t) => {
  const branco = ' \u200b'.repeat(2 ** 20);
  t.is(aparar(`${branco}a${branco}b${branco}`), `a${branco}b`);
});

test('de um texto digitado em que nada se vê não fica nada', (t) => {
  for (const branco of [...EM_BRANCO, ...SEM_DESENHO])
    t.is(limparDigitado(branco.repeat(4)), '', JSON.stringify(branco));
});

test('caracteres de controle, de uso privado e que não existem são proibidos', (t) => {
  for (const texto of ['a\u0000', 'a\u007f', '\ue000', '\uffff']) t.true(temCaractereProibido(texto));
  for (const texto of ['', 'São João', "D'Ávila & Cia. 電話 😀"]) t.false(temCaractereProibido(texto));
});

test('um e-mail tem nome, arroba e um domínio com ponto', (t) => {
  for (const texto of ['a@b.c', 'Maria.Silva+net@sub.exemplo.com.br']) t.true(emailValido(texto));
  for (const texto of ['', 'a', 'a@b', 'a@b.', '@b.c', 'a b@c.d', 'a@b.c\n', `${'a'.repeat(65)}@b.c`]) {
    t.false(emailValido(texto), texto);
  }
});

test('um telefone digitado perde o 55 do país e o zero de interurbano', (t) => {
  for (const texto of ['35999990001', '+55 (35) 99999-0001', '035 99999-0001', '5535999990001']) {
    t.is(lerTelefone(texto), '35999990001', texto);
  }
  t.is(lerTelefone('(35) 3421-0199'), '3534210199');
  for (const texto of ['', '99999-0001', '0800 722 4000', '20 99999-0001']) t.is(lerTelefone(texto), null, texto);
});

test('o que já está limpo se devolve como está, e só isso', (t) => {
  for (const texto of ['', 'Maria da Silva', 'João Antônio', 'a@b.com', '¿Qué?']) t.is(limparDigitado(texto), texto);
  for (const [sujo, limpo] of [
    [' a', 'a'],
    ['a ', 'a'],
    ['a  b', 'a b'],
    ['a\u00a0b', 'a b'],
    ['a\u00adb', 'ab'],
    ['Joa\u0303o', 'João'],
    ['a\tb', 'a b'],
    ['\u0000', ''],
  ] as const) {
    t.is(limparDigitado(sujo), limpo);
  }
});
