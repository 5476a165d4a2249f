import test from 'ava';
import * as fc from 'fast-check';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { dividir, ratear, repartir } from '../../../src/domain/nfcom/nota/reparticao.regras.ts';
import type { ParteDoPreco } from '../../../src/domain/nfcom/servicos/servicos.types.ts';

const SCM = { servicoId: 1, descricao: null, percentual: null, valor: null };
const fixa = (servicoId: number, valor: number): ParteDoPreco => ({ ...SCM, servicoId, valor: centavos(valor) });
const porCento = (servicoId: number, percentual: number): ParteDoPreco => ({ ...SCM, servicoId, percentual });
const valores = (valor: number, partes: readonly ParteDoPreco[], preco: number) =>
  repartir(centavos(valor), partes, centavos(preco))?.map((uma) => [uma.servicoId, uma.valor]);

test('de um mês em parte, uma parte fixa é em parte: o SCM não falta', (t) => {
  const partes = [SCM, fixa(2, 1990)];
  // 99.90 = SCM 80.00 + SVA 19.90.
  t.deepEqual(valores(9990, partes, 9990), [
    [1, 8000],
    [2, 1990],
  ]);
  t.deepEqual(valores(1500, partes, 9990), [
    [1, 1201],
    [2, 299],
  ]);
  t.deepEqual(valores(5000, partes, 9990), [
    [1, 4004],
    [2, 996],
  ]);
  t.deepEqual(valores(1, [SCM, fixa(2, 9000)], 9990), [[1, 1]]);
  // Of more than the price the fixed amount is what was said.
  t.deepEqual(valores(15_000, partes, 15_000), [
    [1, 13_010],
    [2, 1990],
  ]);
});

test('partes fixas que chegam ao preço inteiro não deixam nota sem o SCM: ela é recusada', (t) => {
  t.is(valores(1500, [SCM, fixa(2, 1990)], 1500), undefined);
  t.is(valores(1990, [fixa(2, 1990), SCM], 1990), undefined);
  t.is(valores(1000, [SCM, fixa(2, 1000), porCento(3, 500_000)], 2000), undefined);
  // All of it as a percentage is what somebody has said.
  t.deepEqual(valores(1500, [SCM, porCento(2, 1_000_000)], 1500), [[2, 1500]]);
});

/** Splits that the settings take: percentages up to 100, fixed amounts with one part of what is left. */
const reparticoes = fc
  .record({
    fixas: fc.array(fc.integer({ min: 1, max: 30_000 }), { maxLength: 4 }),
    percentuais: fc.array(fc.integer({ min: 0, max: 240_000 }), { maxLength: 4 }),
    lugar: fc.nat(8),
  })
  .map(({ fixas, percentuais, lugar }) => {
    const partes = [
      ...fixas.map((valor, n) => fixa(10 + n, valor)),
      ...percentuais.map((percentual, n) => porCento(20 + n, percentual)),
    ];
    return partes.toSpliced(lugar % (partes.length + 1), 0, SCM);
  });

test('de qualquer repartição as partes somam o valor, cada uma a menos de um centavo da sua, e há sempre a do resto', (t) => {
  let recusadas = 0;
  let feitas = 0;
  const valor = fc.integer({ min: 1, max: 40_000 });
  const dados = fc.record({ partes: reparticoes, preco: valor, cobrado: valor });
  fc.assert(
    fc.property(dados, ({ partes, preco, cobrado }) => {
      // Exact shares, over preco × 1 000 000.
      const inteiro = BigInt(preco) * 1_000_000n;
      const ditas = partes.map(({ percentual, valor: fixo }) =>
        fixo === null ? BigInt(percentual ?? 0) * BigInt(preco) : BigInt(fixo) * 1_000_000n,
      );
      const soma = ditas.reduce((ate, uma) => ate + uma, 0n);
      const fatias = repartir(centavos(cobrado), partes, centavos(preco));
      const semResto = soma >= inteiro && partes.some((uma) => uma.valor !== null);
      t.is(fatias === null, semResto);
      if (fatias === null) {
        recusadas += 1;
        return;
      }
      feitas += 1;
      t.is(
        fatias.reduce((ate, uma) => ate + uma.valor, 0),
        cobrado,
      );
      for (const [n, { servicoId }] of partes.entries()) {
        const sua = servicoId === 1 ? inteiro - soma : ditas[n]!;
        const teve = BigInt(fatias.find((uma) => uma.servicoId === servicoId)?.valor ?? 0);
        const longe = teve * inteiro - sua * BigInt(cobrado);
        t.true(longe < inteiro && -longe < inteiro, `${servicoId}: ${teve}`);
        if (servicoId === 1 && sua > 0n) t.true(teve > 0n);
      }
    }),
    { numRuns: 5000 },
  );
  t.true(recusadas > 100 && feitas > 1000, `${recusadas} recusadas, ${feitas} feitas`);
});

test('descontos e partes de uma fatura somam o que dividem, e nenhum desconto passa do seu item', (t) => {
  const lista = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(lista, fc.nat(1_000_000), (pesos, sorte) => {
      const itens = pesos.map((peso): Centavos => centavos(peso));
      const total = pesos.reduce((ate, um) => ate + um, 0);
      const desconto = sorte % (total + 1);
      const descontos = ratear(centavos(desconto), itens);
      t.is(
        descontos.reduce((ate, um) => ate + um, 0),
        desconto,
      );
      t.true(descontos.every((um, n) => um >= 0 && um <= pesos[n]!));
      const divididos = dividir(centavos(sorte), pesos);
      t.is(
        divididos.reduce((ate, um) => ate + um, 0),
        sorte,
      );
      t.true(divididos.every((um) => um >= 0));
    }),
    { numRuns: 2000 },
  );
});
