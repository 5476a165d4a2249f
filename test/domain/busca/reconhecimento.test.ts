import test from 'ava';
import { reconhecer } from '../../../src/domain/busca/reconhecimento.regras.ts';

const CASOS: readonly (readonly [texto: string, oque: object])[] = [
  ['#12', { numero: 12, soNumero: true, documento: null, telefone: null }],
  ['12', { numero: 12, soNumero: false, documento: null, telefone: null, palavras: ['12'] }],
  ['1234', { numero: 1234, documento: '1234', telefone: '1234', login: '1234', palavras: [] }],
  ['(35) 99999-1234', { numero: null, documento: '35999991234', telefone: '35999991234', login: null }],
  ['12.ABC.345/01DE-35', { documento: '12ABC34501DE35' }],
  ['aa:bb:cc:dd:ee:ff', { mac: 'aa:bb:cc:dd:ee:ff', login: null }],
  ['123456789012', { mac: null, documento: '123456789012' }],
  ['12-34-56', { mac: '12:34:56' }],
  ['10.0.0.1', { ip: '10.0.0.1', documento: null }],
  ['2001:db8::1', { ip: '2001:db8::1' }],
  ['maria', { login: 'maria', palavras: ['maria'] }],
  ['Maria da Silva', { login: null, palavras: ['maria', 'silva'] }],
  ['...', { numero: null, palavras: [] }],
];
for (const [texto, oque] of CASOS) {
  test(`o que se digita como “${texto}” é reconhecido`, (t) => void t.like(reconhecer(texto), oque));
}

test('um texto sem fim é cortado', (t) => {
  const { palavras } = reconhecer('a1 b2 c3 d4 e5 f6 g7 h8 '.repeat(1000));
  t.is(palavras.length, 6);
});
