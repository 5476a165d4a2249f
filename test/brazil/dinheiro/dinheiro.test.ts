import test from 'ava';
import * as fc from 'fast-check';
import { centavos, escreverDinheiro, lerDinheiro, somarDinheiro } from '../../../src/brazil/dinheiro/dinheiro.ts';

test('centavos são inteiros seguros, e zero não tem sinal', (t) => {
  t.is(Number(centavos(9990)), 9990);
  t.true(Object.is(centavos(-0), 0));
  for (const n of [0.5, NaN, Infinity, 2 ** 53]) t.throws(() => centavos(n), { instanceOf: RangeError });
});

test('lê texto decimal e arredonda metade para longe do zero', (t) => {
  const vetores: [string, number][] = [
    ['99.90', 9990],
    ['99.9', 9990],
    ['0', 0],
    ['7', 700],
    ['007.1', 710],
    ['1.005', 101],
    ['1.00499999', 100],
    ['-1.005', -101],
    ['-0.1', -10],
    ['-0.004', 0],
    ['0.995', 100],
    ['9999999999.99', 999_999_999_999],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ];
  for (const [texto, esperado] of vetores) t.true(Object.is(Number(lerDinheiro(texto)), esperado), texto);
});

test('recusa o que não é texto decimal ou não cabe', (t) => {
  const ruins = ['', ' ', '1,00', '+1', '1.', '.5', '1e3', '--1', '1.0.0', ' 1', '1\n', '0x10', 'NaN', '١'];
  for (const texto of [...ruins, '90071992547409.92', '90071992547409.915', '9'.repeat(400)]) {
    t.throws(() => lerDinheiro(texto), { instanceOf: RangeError }, texto);
  }
});

test('escreve sempre duas casas', (t) => {
  const vetores: [number, string][] = [
    [9990, '99.90'],
    [0, '0.00'],
    [5, '0.05'],
    [-5, '-0.05'],
    [-123_456, '-1234.56'],
    [100, '1.00'],
  ];
  for (const [n, texto] of vetores) t.is(escreverDinheiro(centavos(n)), texto);
});

test('ler o que se escreveu devolve os mesmos centavos', (t) => {
  const ida = fc.property(fc.maxSafeInteger(), (n) => lerDinheiro(escreverDinheiro(centavos(n))) === n);
  t.notThrows(() => fc.assert(ida, { numRuns: 100_000 }));
});

test('o arredondamento concorda com aritmética racional em BigInt', (t) => {
  const casas = fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: 1, maxLength: 6 });
  const prop = fc.property(fc.nat(1_000_000_000), casas, fc.boolean(), (inteiro, fracao, negativo) => {
    const escala = 10n ** BigInt(fracao.length);
    const numerador = (BigInt(inteiro) * escala + BigInt(fracao)) * 100n;
    const sobra = numerador % escala;
    const modulo = Number(numerador / escala) + (sobra * 2n >= escala ? 1 : 0);
    return lerDinheiro(`${negativo ? '-' : ''}${inteiro}.${fracao}`) === (negativo ? -modulo : modulo);
  });
  t.notThrows(() => fc.assert(prop, { numRuns: 100_000 }));
});

test('soma parcelas e recusa o que passa do inteiro seguro', (t) => {
  t.is(somarDinheiro(), centavos(0));
  t.is(somarDinheiro(centavos(9990), centavos(200), centavos(-33)), centavos(10_157));
  t.throws(() => somarDinheiro(centavos(Number.MAX_SAFE_INTEGER), centavos(1)), { instanceOf: RangeError });
});
