import test from 'ava';
import {
  cpfCnpjValido,
  digitosCnpj,
  digitosCpf,
  mascararCpfCnpj,
  normalizarCpfCnpj,
} from '../../../src/brazil/pessoa/cpf-cnpj.ts';
import { DIGITOS, emCemMilCasos, MAIUSCULAS, type Sorteio } from '../_apoio.ts';

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

const PESOS_CPF = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
const PESOS_CNPJ = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

/** A second implementation, with the weights written out; the digit is the sum times 10, modulo 11, and 10 is 0. */
function digitosDe(base: string): string {
  const pesos = base.length === 9 ? PESOS_CPF : PESOS_CNPJ;
  const valores = Array.from(base, (c) => c.charCodeAt(0) - 48);
  const digito = (termos: number[], inicio: number) => {
    let soma = 0;
    for (const [i, termo] of termos.entries()) soma += termo * pesos[inicio + i]!;
    return ((soma * 10) % 11) % 10;
  };
  const primeiro = digito(valores, 1);
  return `${primeiro}${digito([...valores, primeiro], 0)}`;
}

const BASES: Record<string, (s: Sorteio) => string> = {
  CPF: (s) => s.texto(DIGITOS, 9),
  CNPJ: (s) => s.um([s.texto(DIGITOS, 12), s.texto(DIGITOS + MAIUSCULAS, 12)]),
};

for (const [tipo, sortearBase] of Object.entries(BASES)) {
  const sortear = (s: Sorteio) => {
    const base = sortearBase(s);
    return { base, digitos: s.um([digitosDe(base), s.texto(DIGITOS, 2)]), separadores: s.texto('-./ ', 14) };
  };

  test(`em 100 mil ${tipo}, os dígitos são os de uma segunda implementação, e a validade também`, (t) => {
    const conferir = () =>
      emCemMilCasos(sortear, ({ base, digitos, separadores }) => {
        const documento = base + digitos;
        const certos = digitosDe(base);
        const pontuado = Array.from(documento.toLowerCase(), (c, i) => c + separadores.slice(i, i + 1)).join('');
        return (
          (tipo === 'CPF' ? digitosCpf(base) : digitosCnpj(base)) === certos &&
          cpfCnpjValido(documento) === (digitos === certos && !repetido(documento)) &&
          normalizarCpfCnpj(pontuado) === documento
        );
      });
    t.notThrows(conferir);
  });
}

test('mascara para os logs', (t) => {
  t.is(mascararCpfCnpj('52998224725'), '***.982.247-**');
  t.is(mascararCpfCnpj('11222333000181'), '**.222.333/****-**');
  t.is(mascararCpfCnpj('12ABC34501DE35'), '**.ABC.345/****-**');
  t.is(mascararCpfCnpj('qualquer coisa'), '***');
});
