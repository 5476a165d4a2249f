import test from 'ava';
import {
  mascararDocumento,
  mascararEmail,
  mascararNome,
  mascararTelefone,
  ocultador,
} from '../../../src/brazil/pessoa/mascaras.ts';
import type { Conhecido } from '../../../src/brazil/pessoa/mascaras.ts';

const MARIA: Conhecido = {
  nomes: ['Maria da Conceição Quaresma', 'Padaria Estrela do Sul'],
  documentos: ['52998224725'],
  telefones: ['35999123456'],
  ceps: ['37130001'],
  emails: ['maria.q@exemplo.com.br'],
  logradouros: ['Rua das Acácias'],
  logins: ['maria.q'],
  enderecosDeRede: ['D4:6E:0E:11:22:33', '100.64.10.7'],
  nascimentos: ['1988-04-02'],
};

test('de um nome ficam o primeiro e as iniciais; de um documento, do 7º ao 9º; de um telefone, os quatro últimos', (t) => {
  t.is(mascararNome('Maria da Conceição e Silva'), 'Maria C. S.');
  t.is(mascararNome('  élcio   ávila '), 'élcio Á.');
  t.is(mascararNome('Ana'), 'Ana');
  t.is(mascararNome(''), '');
  t.is(mascararDocumento('52998224725'), '******247**');
  t.is(mascararDocumento('12ABC34501DE35'), '******450*****');
  t.is(mascararDocumento('12345'), '*****');
  t.is(mascararTelefone('35999123456'), '*******3456');
  t.is(mascararTelefone('123'), '123');
  t.is(mascararEmail('maria@dominio.com'), 'm***@d***.com');
  t.is(mascararEmail('m@sub.dominio.com.br'), 'm***@s***.br');
  for (const estranho of ['sem arroba', '@', '']) t.is(mascararEmail(estranho), '***');
});

test('no texto livre some o que se sabe da pessoa, como quer que esteja escrito', (t) => {
  const ocultar = ocultador(MARIA);
  const casos: readonly (readonly [string, string])[] = [
    ['Falei com MARIA DA CONCEICAO QUARESMA.', 'Falei com MARIA C. Q..'],
    ['Padaria Estrela do Sul fechou', 'Padaria E. S. fechou'],
    ['nascida em 2/4/88, ou 02.04.1988', 'nascida em [nascimento], ou [nascimento]'],
    ['nascida em 02–04–1988, ou 02 / 04 / 88', 'nascida em [nascimento], ou [nascimento]'],
    ['mora na r. das acacias, nº 120', 'mora na [endereço]'],
    ['CEP 37.130-001', 'CEP [CEP]'],
    ['login MARIA.Q, mac d46e.0e11.2233, ip 100.64.10.7', 'login [login], mac [rede], ip [rede]'],
    ['cpf 5 2 9 9 8 2 2 4 7 2 5', 'cpf [documento]'],
  ];
  for (const [dito, fica] of casos) t.is(ocultar(dito), fica);
});

test('no texto livre some o que tem forma de documento, telefone ou e-mail, seja de quem for; o resto fica', (t) => {
  const ocultar = ocultador(null);
  for (const dito of [
    '111.444.777-35',
    '11144477735',
    '11.222.333/0001-81',
    '12ABC34501DE35',
    // As phones, word processors and people in a hurry write them.
    '529.982.247–25',
    '529 . 982 . 247 - 25',
    '529-982-247-25',
    '529.982.247.25',
    '529\u200b.982\u00ad.247−25',
    '５２９.９８２.２４７-２５',
    '𝟓𝟐𝟗.𝟗𝟖𝟐.𝟐𝟒𝟕-𝟐𝟓',
    '11.222.333/0001–81',
    '11 222 333 / 0001 - 81',
    '11-222-333-0001-81',
  ]) {
    t.is(ocultar(`é ${dito}, sim`), 'é [documento], sim', dito);
  }
  for (const dito of [
    '(35) 99912-3456',
    '35999123456',
    '+55 35 99912 3456',
    '3421-0199',
    '3421–0199',
    '(35) 9 9912 – 3456',
    '35 9 9912 34 56',
    '(35) 99912.34.56',
    '３５９９９１２３４５６',
  ]) {
    // Eleven digits in a row may be either.
    t.regex(ocultar(`fone ${dito}.`), /^fone \[(?:telefone|documento)\]\.$/, dito);
  }
  // Words that have the form of a CNPJ do not hide the number that they run into.
  t.is(ocultar('eu vou ver isso 11.222.333/0001-81'), 'eu vou ver isso [documento]');
  t.is(ocultar('mande a Outra.Pessoa+x@Exemplo.com.br!'), 'mande a [e-mail]!');
  for (const fica of [
    'Protocolo 20261120000007',
    'roteador em 192.168.100.10',
    'visita de 2026-12-10 passou a 11.12.2026',
    'A fatura de R$ 99,90 vence em 10/12/2026',
    'Sinal -27,5 dBm às 14:30',
  ]) {
    t.is(ocultar(fica), fica);
  }
});
