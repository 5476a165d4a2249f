import test from 'ava';
import * as fc from 'fast-check';
import { calcularEncargos, type RegrasEncargos } from '../../src/brazil/encargos.ts';
import { centavos, lerDinheiro } from '../../src/brazil/dinheiro.ts';
import { data, datas, feriadosCalculados } from './_apoio.ts';

const PADRAO: RegrasEncargos = { multaPercentual: 200, jurosMensalPercentual: 100, carenciaDias: 0 };

function calcular(valor: string, vencimento: string, hoje: string, regras: RegrasEncargos = PADRAO) {
  const { diasEmAtraso, multa, juros, total } = calcularEncargos({
    valor: lerDinheiro(valor),
    vencimento: data(vencimento),
    hoje: data(hoje),
    regras,
  });
  return [diasEmAtraso, multa, juros, total].map(Number);
}

test('99.90 com 2 % e 1 % ao mês, 10 dias depois, são 102.23', (t) => {
  t.deepEqual(calcular('99.90', '2026-07-01', '2026-07-11'), [10, 200, 33, 10_223]);
});

test('no vencimento e antes dele não há encargos', (t) => {
  t.deepEqual(calcular('99.90', '2026-07-01', '2026-07-01'), [0, 0, 0, 9990]);
  t.deepEqual(calcular('99.90', '2026-07-01', '2026-06-01'), [0, 0, 0, 9990]);
});

test('vencida no sábado e paga na segunda não tem encargos; na terça, um dia', (t) => {
  t.deepEqual(calcular('100.00', '2026-07-04', '2026-07-06'), [0, 0, 0, 10_000]);
  t.deepEqual(calcular('100.00', '2026-07-04', '2026-07-07'), [1, 200, 3, 10_203]);
});

test('vencida no sábado de Carnaval, o atraso conta da Quarta-feira de Cinzas', (t) => {
  t.deepEqual(calcular('100.00', '2026-02-14', '2026-02-18'), [0, 0, 0, 10_000]);
  t.deepEqual(calcular('100.00', '2026-02-14', '2026-02-19'), [1, 200, 3, 10_203]);
});

test('na carência não há encargos; passada ela, os dias contam desde o vencimento útil', (t) => {
  const regras = { ...PADRAO, carenciaDias: 5 };
  t.deepEqual(calcular('100.00', '2026-07-04', '2026-07-11', regras), [5, 0, 0, 10_000]);
  t.deepEqual(calcular('100.00', '2026-07-04', '2026-07-12', regras), [6, 200, 20, 10_220]);
});

test('cada parcela é arredondada uma vez, metade para cima', (t) => {
  // 0.25 × 2 % = 0.005; 15.00 × 1 %/30 × 1 dia = 0.005.
  t.deepEqual(calcular('0.25', '2026-07-01', '2026-07-02'), [1, 1, 0, 26]);
  t.deepEqual(calcular('15.00', '2026-07-01', '2026-07-02'), [1, 30, 1, 1531]);
  t.deepEqual(calcular('14.99', '2026-07-01', '2026-07-02'), [1, 30, 0, 1529]);
});

test('sem multa nem juros nas regras o total é o valor', (t) => {
  const regras = { multaPercentual: 0, jurosMensalPercentual: 0, carenciaDias: 0 };
  t.deepEqual(calcular('99.90', '2026-07-01', '2027-07-01', regras), [365, 0, 0, 9990]);
});

test('recusa valores e regras negativos ou não inteiros, e totais que não cabem', (t) => {
  t.throws(() => calcular('-0.01', '2026-07-01', '2026-07-02'), { instanceOf: RangeError });
  for (const ruim of [-1, 0.5, NaN]) {
    for (const campo of ['multaPercentual', 'jurosMensalPercentual', 'carenciaDias']) {
      const regras = { ...PADRAO, [campo]: ruim };
      t.throws(() => calcular('1.00', '2026-07-01', '2026-07-02', regras), { instanceOf: RangeError }, campo);
    }
  }
  t.throws(() => calcular('90071992547409.91', '2026-07-01', '2026-07-02'), { instanceOf: RangeError });
});

/** Um número racional exato, arredondado pela definição: o inteiro mais próximo, e o maior se houver dois. */
function arredondar(numerador: bigint, denominador: bigint): number {
  const piso = numerador / denominador;
  return Number(numerador - piso * denominador < (piso + 1n) * denominador - numerador ? piso : piso + 1n);
}

/** Conta os dias um a um, sem as funções de src: fins de semana e feriados calculados à parte. */
function atraso(vencimento: string, hoje: string): number {
  const dia = new Date(`${vencimento}T00:00:00Z`);
  const iso = () => dia.toISOString().slice(0, 10);
  while ([0, 6].includes(dia.getUTCDay()) || FERIADOS.has(iso())) dia.setUTCDate(dia.getUTCDate() + 1);
  return Math.max(0, (Date.parse(hoje) - dia.getTime()) / 86_400_000);
}

const FERIADOS = new Set(Array.from({ length: 12 }, (_, i) => feriadosCalculados(2023 + i)).flat());

test('concorda com uma conta racional independente em 100 mil casos', (t) => {
  const caso = fc.record({
    valor: fc.integer({ min: 0, max: 100_000_000 }),
    vencimento: datas('2024-01-01', '2032-12-31'),
    hoje: datas('2024-01-01', '2032-12-31'),
    multa: fc.integer({ min: 0, max: 200 }),
    juros: fc.integer({ min: 0, max: 1000 }),
    carencia: fc.integer({ min: 0, max: 30 }),
  });
  const prop = fc.property(caso, ({ valor, vencimento, hoje, multa, juros, carencia }) => {
    const regras = { multaPercentual: multa, jurosMensalPercentual: juros, carenciaDias: carencia };
    const dias = atraso(vencimento, hoje);
    const cobra = dias > carencia;
    const m = cobra ? arredondar(BigInt(valor) * BigInt(multa), 100n * 100n) : 0;
    const j = cobra ? arredondar(BigInt(valor) * BigInt(juros) * BigInt(dias), 100n * 100n * 30n) : 0;
    const obtido = calcularEncargos({ valor: centavos(valor), vencimento, hoje, regras });
    return obtido.diasEmAtraso === dias && obtido.multa === m && obtido.juros === j && obtido.total === valor + m + j;
  });
  t.notThrows(() => fc.assert(prop, { numRuns: 100_000 }));
});
