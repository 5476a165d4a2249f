import test from 'ava';
import { emailValido, limparDigitado, temCaractereProibido } from '../../src/brazil/digitado.ts';
import { lerTelefone } from '../../src/brazil/telefone.ts';

test('um texto digitado fica composto, em uma linha e sem marcas invisíveis', (t) => {
  t.is(limparDigitado(' \u202aSa\u0303o\u00a0 Joa\u0303o\r\n\tdo\u200b Vale\u202c '), 'São João do Vale');
  t.is(limparDigitado(' \u200e\n'), '');
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
