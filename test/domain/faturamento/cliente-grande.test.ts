import test from 'ava';
import type { ExecutionContext } from 'ava';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { execucao } from './apoio.ts';
import { perguntarMuito } from './aos-poucos.ts';
import { criarCasaDoWorker } from './casa-do-worker.ts';

const relogio = relogioEm('2027-03-02T12:00:00.000Z');
/** More than any chunk of the day's work, at whatever pace. */
const CONTRATOS = 3000;
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

/** A client of many contracts, who wants one invoice of all that are due on a day. */
async function casaDeUmGrande() {
  const c = await criarCasaDoWorker(api, CONTRATOS);
  await api.dono('faturamento_configuracoes').where({ provedor_id: c.id }).update({ fatura_unica: 1 });
  return c;
}

type CasaGrande = Awaited<ReturnType<typeof casaDeUmGrande>>;

/** Each contract is charged once, and each due day has one invoice of all its charges. */
async function umaPorDia(t: ExecutionContext, c: CasaGrande): Promise<void> {
  const cobrancas = await c.linhas('faturamento_cobrancas');
  const faturas = await c.linhas('faturas');
  t.is(cobrancas.length, CONTRATOS);
  t.is(new Set(cobrancas.map(({ contrato_id: id }) => id)).size, CONTRATOS);
  const dias = new Set(cobrancas.map(({ vencimento }) => String(vencimento)));
  t.is(faturas.length, dias.size);
  for (const { id, valor, vencimento } of faturas) {
    const dela = cobrancas.filter(({ fatura_id: fatura }) => fatura === id);
    t.deepEqual([...new Set(dela.map((uma) => String(uma.vencimento)))], [String(vencimento)]);
    t.is(Number(valor), (dela.length * 9990) / 100);
  }
}

for (const muito of [true, false]) {
  const como = muito ? 'aos poucos' : 'depressa';
  test.serial(
    `de um cliente de milhares de contratos, o dia faz uma fatura por vencimento, também ${como}`,
    async (t) => {
      relogio.definir('2027-03-15T12:00:00.000Z');
      const c = await casaDeUmGrande();
      if (muito) await perguntarMuito(api, c.id);
      const tarefa = { tarefa: 'faturas.gerar' as const, provedorId: c.id, dia: '2027-03-15' };
      await api.container.tarefas.executar(AUTOR, tarefa, execucao);
      relogio.definir('2027-03-20T12:00:00.000Z');
      await api.container.tarefas.executar(AUTOR, { ...tarefa, dia: '2027-03-20' }, execucao);
      await umaPorDia(t, c);
    },
  );
}

test.serial('o mês que se pede também faz uma só, e a prévia diz quantas', async (t) => {
  relogio.definir('2027-03-02T12:00:00.000Z');
  const c = await casaDeUmGrande();
  const previa = await c.ler(async ({ faturamento }) => faturamento.previa({ mes: '2027-03' }));
  t.like(previa, { cobrancas: CONTRATOS, faturas: 15 });
  await c.pedir('faturas');
  await c.executar();
  t.is(await c.contar('faturas'), 15);
  await umaPorDia(t, c);
});
