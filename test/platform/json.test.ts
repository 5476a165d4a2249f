import test from 'ava';
import * as fc from 'fast-check';
import { centavos as emCentavos, escreverDinheiro } from '../../src/brazil/dinheiro/dinheiro.ts';
import { jsonDecimal, toJson } from '../../src/platform/json.ts';
import { CARACTERE } from '../support/caracteres.ts';

test('um decimal é escrito com exatamente os seus dígitos', (t) => {
  for (const texto of ['99.90', '0.00', '0.10', '-1.50', '102.23', '9999999999.99', '12345678901234567890.10', '7']) {
    t.is(toJson({ valor: jsonDecimal(texto) }), `{"valor":${texto}}`);
    t.is(toJson([jsonDecimal(texto), { a: [jsonDecimal(texto)] }]), `[${texto},{"a":[${texto}]}]`);
  }
});

test('qualquer valor em centavos é escrito em reais com duas casas, sem erro de ponto flutuante', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }), (centavos) => {
      const escrito = toJson({ valor: jsonDecimal(escreverDinheiro(emCentavos(centavos))) });
      const partes = /^\{"valor":(-?)(\d+)\.(\d\d)\}$/.exec(escrito);
      const digitos = BigInt(`${partes?.[2] ?? ''}${partes?.[3] ?? ''}`);
      return partes !== null && (partes[1] === '-' ? -digitos : digitos) === BigInt(centavos);
    }),
  );
  t.pass();
});

test('o que não é um decimal é recusado', (t) => {
  for (const texto of ['', '1,50', '1.', '.5', '1e3', 'NaN', '+1', ' 1', '1"', '--1', '0x1', '1\n', '١']) {
    t.throws(() => jsonDecimal(texto), { instanceOf: RangeError }, JSON.stringify(texto));
  }
});

test('um texto nunca vira número, por mais que imite um decimal', (t) => {
  const doProcesso = JSON.parse(JSON.stringify(jsonDecimal('1.00'))) as string;
  const marca = doProcesso.slice(0, doProcesso.indexOf('1.00'));
  t.regex(marca, /^~[0-9a-f]{24}~$/);
  const hostis = [
    '~0123456789abcdef01234567~1.00',
    '~~1.00',
    '99.90',
    '"99.90"',
    `${marca.slice(1)}1.00`,
    `x${marca}1.00`,
    `${marca}1.00x`,
    `${marca}1e3`,
    `\\"${marca}1.00\\"`,
  ];
  for (const texto of hostis)
    t.deepEqual(JSON.parse(toJson({ a: texto, [texto]: [texto] })), { a: texto, [texto]: [texto] });
});

test('o que não tem decimais sai como JSON.stringify o escreve', (t) => {
  fc.assert(fc.property(fc.jsonValue(), (valor) => toJson(valor) === JSON.stringify(valor)));
  t.pass();
});

test('textos ao lado de decimais chegam inteiros', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: CARACTERE }), fc.integer({ min: 0, max: 10_000_000 }), (texto, centavos) => {
      const valor = escreverDinheiro(emCentavos(centavos));
      const lido = JSON.parse(toJson({ antes: texto, valor: jsonDecimal(valor), depois: [texto] })) as Record<
        string,
        unknown
      >;
      return lido['antes'] === texto && lido['valor'] === Number(valor) && (lido['depois'] as string[])[0] === texto;
    }),
  );
  t.pass();
});
