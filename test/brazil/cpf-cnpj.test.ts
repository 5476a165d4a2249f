import test from 'ava';
import * as fc from 'fast-check';
import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils';
import {
  cpfCnpjValido,
  digitosCnpj,
  digitosCpf,
  mascararCpfCnpj,
  normalizarCpfCnpj,
} from '../../src/brazil/cpf-cnpj.ts';
import { DIGITOS, MAIUSCULAS, textoDe } from './_apoio.ts';

const VALIDOS = ['52998224725', '12345678909', '11222333000181', '00000000000191', '44038188000132', '12ABC34501DE35'];

function repetido(documento: string): boolean {
  return new Set(documento).size === 1;
}

test('normaliza tirando só pontos, hífens, barras e espaços', (t) => {
  t.is(normalizarCpfCnpj('529.982.247-25'), '52998224725');
  t.is(normalizarCpfCnpj(' 11.222.333/0001-81 '), '11222333000181');
  t.is(normalizarCpfCnpj('12.abc.345/01de-35'), '12ABC34501DE35');
  // A busca não julga dígitos verificadores.
  t.is(normalizarCpfCnpj('11111111111'), '11111111111');
});

test('qualquer outro texto não é CPF nem CNPJ', (t) => {
  const ruins = ['', '5299822472', '529982247250', '529982247a5', '12ABC34501DEA5', '1234567890123', '529.982.247_25'];
  const unicode = [
    '12ıBC34501DE35',
    '12ßC34501DE35',
    '５2998224725',
    '٥2998224725',
    '52998224725\n',
    '5299822472\u00a05',
  ];
  for (const ruim of [...ruins, ...unicode, '12ABC34501DE3', "52998224725'"]) t.is(normalizarCpfCnpj(ruim), null, ruim);
});

test('aceita os documentos conhecidos e recusa qualquer dígito verificador trocado', (t) => {
  for (const documento of VALIDOS) {
    t.true(cpfCnpjValido(documento), documento);
    for (const posicao of [documento.length - 2, documento.length - 1]) {
      const outro = String((Number(documento[posicao]) + 1) % 10);
      t.false(cpfCnpjValido(documento.slice(0, posicao) + outro + documento.slice(posicao + 1)), documento);
    }
  }
});

test('um só dígito repetido é inválido, embora a conta feche', (t) => {
  for (const digito of DIGITOS) {
    t.false(cpfCnpjValido(digito.repeat(11)));
    t.false(cpfCnpjValido(digito.repeat(14)));
  }
});

test('só julga a forma normalizada', (t) => {
  for (const ruim of ['529.982.247-25', '12abc34501de35', ' 52998224725', '', 'AAAAAAAAAAAAAA']) {
    t.false(cpfCnpjValido(ruim), ruim);
  }
});

test('calcula os dígitos verificadores dos documentos conhecidos', (t) => {
  for (const documento of VALIDOS) {
    const base = documento.slice(0, -2);
    t.is(base.length === 9 ? digitosCpf(base) : digitosCnpj(base), documento.slice(-2));
  }
  for (const ruim of ['', '12345678', '12345678a']) t.throws(() => digitosCpf(ruim), { instanceOf: RangeError });
  for (const ruim of ['', '12abc34501de', '123']) t.throws(() => digitosCnpj(ruim), { instanceOf: RangeError });
});

test('os dígitos calculados são os que a biblioteca aceita', (t) => {
  const cpf = fc.property(textoDe(DIGITOS, 9), (base) => {
    const documento = base + digitosCpf(base);
    return isValidCpf(documento) !== repetido(documento) && cpfCnpjValido(documento) === isValidCpf(documento);
  });
  const cnpj = fc.property(textoDe(DIGITOS + MAIUSCULAS, 12), (base) => {
    const documento = base + digitosCnpj(base);
    return isValidCnpj(documento, { version: 2 }) !== repetido(documento) && cpfCnpjValido(documento);
  });
  t.notThrows(() => fc.assert(cpf, { numRuns: 10_000 }));
  t.notThrows(() => fc.assert(cnpj, { numRuns: 10_000 }));
});

test('mascara para os logs', (t) => {
  t.is(mascararCpfCnpj('52998224725'), '***.982.247-**');
  t.is(mascararCpfCnpj('11222333000181'), '**.222.333/****-**');
  t.is(mascararCpfCnpj('12ABC34501DE35'), '**.ABC.345/****-**');
  t.is(mascararCpfCnpj('qualquer coisa'), '***');
});
