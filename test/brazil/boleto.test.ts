import test from 'ava';
import * as fc from 'fast-check';
import { getBoletoInfo, isValidBoleto } from '@brazilian-utils/brazilian-utils';
import {
  codigoBarras,
  fatorVencimento,
  gerarCodigoBarras,
  lerBoleto,
  linhaDigitavel,
} from '../../src/brazil/boleto.ts';
import { somarDias } from '../../src/brazil/datas.ts';
import { centavos } from '../../src/brazil/dinheiro.ts';
import { data, datas, DIGITOS, textoDe } from './_apoio.ts';

const VETORES: [string, string][] = [
  ['23793381286000782713695000063305975520000370000', '23799755200003700003381260007827139500006330'],
  ['34191570729677774065340871130007961980000023076', '34199619800000230761570796777740654087113000'],
  ['836200000005667800481000180975657313001589636081', '83620000000667800481001809756573100158963608'],
  ['848900000002404201622015806051904292586034111220', '84890000000404201622018060519042958603411122'],
  ['23792949096000000000403000658009514940000009990', '23795149400000099902949060000000000300065800'],
];

const boletos = fc.record({
  banco: textoDe(DIGITOS, 3).filter((b) => !b.startsWith('8')),
  vencimento: datas('2000-07-03', '2060-12-31'),
  valor: fc.integer({ min: 0, max: 9_999_999_999 }).map(centavos),
  campoLivre: textoDe(DIGITOS, 25),
});

test('o fator conta os dias desde 1997-10-07 e recomeça em 1000', (t) => {
  const vetores: [string, number][] = [
    ['1997-10-08', 1],
    ['2000-07-03', 1000],
    ['2025-02-21', 9999],
    ['2025-02-22', 1000],
    ['2026-07-01', 1494],
    ['2049-10-13', 9999],
    ['2049-10-14', 1000],
  ];
  for (const [dia, fator] of vetores) t.is(fatorVencimento(data(dia)), fator, dia);
  t.throws(() => fatorVencimento(data('1997-10-07')), { instanceOf: RangeError });
});

test('linha digitável e código de barras conhecidos se convertem um no outro', (t) => {
  for (const [linha, barras] of VETORES) {
    t.is(codigoBarras(linha), barras);
    t.is(linhaDigitavel(barras), linha);
    t.true(isValidBoleto(linha));
  }
});

test('a linha pode vir com pontos, hífens e espaços', (t) => {
  t.is(codigoBarras('23792.94909 60000.000004 03000.658009 5 14940000009990'), VETORES[4]![1]);
  t.is(codigoBarras('83620000000-5 66780048100-0 18097565731-3 00158963608-1'), VETORES[2]![1]);
});

test('gera o código de barras conhecido de 99.90 com vencimento em 2026-07-01', (t) => {
  const campoLivre = '2949060000000000300065800';
  const entrada = { banco: '237', vencimento: data('2026-07-01'), valor: centavos(9990), campoLivre };
  t.is(gerarCodigoBarras(entrada), VETORES[4]![1]);
});

test('qualquer dígito trocado invalida a linha conhecida e o código de barras', (t) => {
  for (const [linha, barras] of VETORES) {
    for (let i = 0; i < linha.length; i++) {
      const outro = String((Number(linha[i]) + 1) % 10);
      t.is(codigoBarras(linha.slice(0, i) + outro + linha.slice(i + 1)), null, `${linha} ${i}`);
    }
    const trocado = String((Number(barras[43]) + 1) % 10);
    t.throws(() => linhaDigitavel(barras.slice(0, 43) + trocado), { instanceOf: RangeError });
  }
});

test('textos de outra forma não são boleto', (t) => {
  for (const ruim of ['', '123', VETORES[0]![0] + '0', 'a'.repeat(47), VETORES[2]![0].slice(0, 47)]) {
    t.is(codigoBarras(ruim), null);
    t.is(lerBoleto(ruim, data('2026-07-01')), null);
    t.throws(() => linhaDigitavel(ruim), { instanceOf: RangeError });
  }
});

test('recusa banco, valor e campo livre que não cabem', (t) => {
  const bom = { banco: '237', vencimento: data('2026-07-01'), valor: centavos(1), campoLivre: '0'.repeat(25) };
  const ruins = [
    { banco: '23' },
    { banco: '836' },
    { banco: '2a7' },
    { campoLivre: '0' },
    { campoLivre: 'a'.repeat(25) },
  ];
  for (const ruim of [...ruins, { valor: centavos(-1) }, { valor: centavos(10_000_000_000) }]) {
    t.throws(() => gerarCodigoBarras({ ...bom, ...ruim }), { instanceOf: RangeError }, JSON.stringify(ruim));
  }
});

test('lê banco, vencimento e valor, da linha ou do código de barras', (t) => {
  const esperado = { banco: '237', vencimento: data('2026-07-01'), valor: centavos(9990) };
  for (const codigo of VETORES[4]!) t.deepEqual(lerBoleto(codigo, data('2026-11-20')), esperado);
  t.is(lerBoleto(VETORES[2]![0], data('2026-11-20')), null);
});

test('o mesmo fator é o vencimento mais próximo da referência', (t) => {
  const linha = VETORES[4]![0];
  t.is(lerBoleto(linha, data('2002-01-01'))?.vencimento, data('2001-11-09'));
  t.is(lerBoleto(linha, data('2030-01-01'))?.vencimento, data('2026-07-01'));
  t.is(lerBoleto(linha, data('2050-01-01'))?.vencimento, data('2051-02-20'));
});

test('fator zero é boleto sem vencimento', (t) => {
  // Com o fator, o dígito verificador também muda: acha-se o que fecha.
  const [, barras] = VETORES[4]!;
  const lidos = Array.from(DIGITOS, (dv) => `2379${dv}0000${barras.slice(9)}`)
    .map((codigo) => lerBoleto(codigo, data('2026-11-20')))
    .filter((lido) => lido !== null);
  t.deepEqual(lidos, [{ banco: '237', vencimento: null, valor: centavos(9990) }]);
});

test('gerar, escrever a linha, ler a linha e ler o boleto devolve a entrada', (t) => {
  const prop = fc.property(boletos, fc.integer({ min: -4000, max: 4000 }), (entrada, distancia) => {
    const barras = gerarCodigoBarras(entrada);
    const linha = linhaDigitavel(barras);
    t.is(codigoBarras(linha), barras);
    const { banco, vencimento, valor } = entrada;
    const limite = data('1997-10-08');
    const referencia = somarDias(vencimento, distancia);
    const esperado = { banco, vencimento, valor };
    t.deepEqual(lerBoleto(linha, referencia < limite ? limite : referencia), esperado);
    t.deepEqual(lerBoleto(barras, vencimento), esperado);
  });
  fc.assert(prop, { numRuns: 10_000 });
});

test('a biblioteca aceita as linhas geradas e lê nelas o mesmo', (t) => {
  const prop = fc.property(boletos, (entrada) => {
    const linha = linhaDigitavel(gerarCodigoBarras(entrada));
    const meiaNoiteLocal = new Date(`${entrada.vencimento}T00:00:00`);
    const lido = getBoletoInfo(linha, { referenceDate: meiaNoiteLocal });
    t.is(lido?.bankCode, entrada.banco);
    t.is(lido?.amount, Number(entrada.valor));
    t.deepEqual(lido?.expirationDate, meiaNoiteLocal);
  });
  fc.assert(prop, { numRuns: 10_000 });
});

test('arrecadação: todo código com dígito geral certo vai à linha e volta, e a biblioteca o aceita', (t) => {
  const semDigito = fc.tuple(textoDe(DIGITOS, 1), textoDe('6789', 1), textoDe(DIGITOS, 40));
  const prop = fc.property(semDigito, ([segmento, moeda, resto]) => {
    const validos = Array.from(DIGITOS, (dv) => `8${segmento}${moeda}${dv}${resto}`).filter((codigo) => {
      try {
        return codigoBarras(linhaDigitavel(codigo)) === codigo;
      } catch {
        return false;
      }
    });
    t.is(validos.length, 1);
    const codigo = validos[0] ?? '';
    if (/[1-79]/.test(segmento)) t.true(isValidBoleto(codigo) && isValidBoleto(linhaDigitavel(codigo)), codigo);
  });
  fc.assert(prop, { numRuns: 2000 });
});
