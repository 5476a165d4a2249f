import test from 'ava';
import { UnrecoverableError } from 'bullmq';
import { provedoresComParados } from '../../../src/domain/faturamento/pedidos/parados.queries.ts';
import { createFaturamentoExecutarJob } from '../../../workers/jobs/faturamento-executar.job.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { falharCobrancas } from '../../support/falha-de-cobranca.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarCasaDoWorker } from './casa-do-worker.ts';

const AGORA = '2027-03-02T12:00:00.000Z';
const relogio = relogioEm(AGORA);
/** More than a part of a run, and more than are undone at once. */
const CONTRATOS = 1100;
const MAIOR_PAUSA_MS = 4 * 3_600_000;
const ERRO = 'banco de dados: ER_SIGNAL_EXCEPTION';
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

/** Whether nobody is at the orders of a provider. */
async function parado(provedorId: number): Promise<boolean> {
  const agora = relogio.agora();
  const longe = (ms: number): Date => new Date(agora.getTime() + ms);
  const todos = await provedoresComParados(api.container.db, { de: longe(-120_000), ate: longe(120_000) }, agora);
  return todos.includes(provedorId);
}

/** A provider of which whatever is written of the charges of its last contract fails. */
async function casaQueFalha(quando: 'INSERT' | 'UPDATE' = 'INSERT') {
  const c = await criarCasaDoWorker(api, CONTRATOS);
  const { ultimo } = (await api.dono('contratos').where({ provedor_id: c.id }).max({ ultimo: 'id' }).first())!;
  const falhar = async () => falharCobrancas(api, quando, `NEW.contrato_id = ${ultimo}`);
  const aberto = async () => (await c.ler(async ({ faturamento }) => faturamento.pedidosAbertos()))[0]!;
  return { ...c, falhar, aberto };
}

test.serial(
  'o que sempre falha espera cada vez mais, até quatro horas, não segura o que vem depois, e se faz quando a causa passa',
  async (t) => {
    const c = await casaQueFalha();
    const mendar = await c.falhar();
    t.teardown(mendar);
    await c.pedir('faturas');
    await c.pedir('previa');
    const job = createFaturamentoExecutarJob(api.container.execucaoDoFaturamento);
    const contexto = {
      jobId: '1',
      signal: new AbortController().signal,
      lastTry: false,
      resumeWith: async () => {},
      progress: () => {},
    };
    const rodar = async () => job({ provedorId: c.id }, contexto);

    const falhou = await t.throwsAsync(rodar(), { message: ERRO });
    // No try of the job's own: what is asked for meanwhile would wait for it.
    t.true(falhou instanceof UnrecoverableError);
    const [faturas, previa] = await c.pedidos();
    t.truthy(previa.terminado_em);
    t.like(faturas, { vistos: 1000, falhas: 1, erro: ERRO, terminado_em: null });
    t.is(await c.contar('faturas'), 1000);

    const pausas = [];
    for (let vez = 1; vez <= 16; vez += 1) {
      const { falha, semNinguem } = await c.aberto();
      t.like(falha, { vezes: vez, erro: ERRO, em: relogio.agora() });
      const pausa = falha!.proximaEm.getTime() - falha!.em.getTime();
      pausas.push(pausa);
      relogio.definir(new Date(falha!.proximaEm.getTime() - 1).toISOString());
      t.deepEqual(await rodar(), { pedidos: 0 });
      t.false(await parado(c.id));
      t.false(semNinguem);
      relogio.definir(falha!.proximaEm.toISOString());
      t.true(await parado(c.id));
      const outra = await t.throwsAsync(rodar(), { message: ERRO });
      t.true(outra instanceof UnrecoverableError, `${vez}`);
    }
    t.deepEqual(
      pausas,
      pausas.map((_, n) => Math.min(2000 * 2 ** n, MAIOR_PAUSA_MS)),
    );
    t.is(pausas.at(-1), MAIOR_PAUSA_MS);

    await mendar();
    relogio.definir((await c.aberto()).falha!.proximaEm.toISOString());
    t.deepEqual(await rodar(), { pedidos: 1 });
    t.is(await c.contar('faturas'), CONTRATOS);
    t.like((await c.pedidos())[0], { falhas: 0, erro: null, falhou_em: null, proxima_em: null, motivo: null });
  },
);

test.serial('quem manda de novo o que espera o tem tentado já, também o que se desfaz', async (t) => {
  const c = await casaQueFalha('UPDATE');
  await c.pedir('faturas');
  await c.executar();
  const [{ id }] = await c.linhas('faturamentos');
  const mendar = await c.falhar();
  t.teardown(mendar);
  const desfazer = async () => c.mudar(async ({ faturamento }) => faturamento.desfazer(id));
  await desfazer();
  await t.throwsAsync(c.executar(), { message: ERRO });
  t.like((await c.aberto()).falha, { vezes: 1, erro: ERRO });
  t.is((await c.executar()).feito, 0);
  await desfazer();
  await t.throwsAsync(c.executar(), { message: ERRO });
  t.like((await c.aberto()).falha, { vezes: 2 });
  // What has become of the first part stays.
  t.is((await c.aberto()).vistos, 1000);
  await mendar();
  await desfazer();
  t.is((await c.executar()).feito, 1);
  t.is(await c.contar('faturamento_cobrancas'), 0);
});

test.serial('uma parte que se faz zera as falhas, e o que a causa repete recomeça do primeiro intervalo', async (t) => {
  const c = await casaQueFalha();
  const [{ primeiro }] = (await api.dono('contratos').where({ provedor_id: c.id }).min({ primeiro: 'id' })) as any[];
  const mendar = await falharCobrancas(api, 'INSERT', `NEW.contrato_id = ${primeiro}`);
  t.teardown(mendar);
  await c.pedir('faturas');
  for (let vez = 1; vez <= 3; vez += 1) {
    await t.throwsAsync(c.executar(), { message: ERRO });
    await c.pedir('faturas');
  }
  t.like((await c.aberto()).falha, { vezes: 3 });
  await mendar();
  t.teardown(await c.falhar());
  await t.throwsAsync(c.executar(), { message: ERRO });
  t.like(await c.aberto(), { vistos: 1000 });
  t.like((await c.aberto()).falha, { vezes: 1 });
});

test.serial(
  'um mês mandado depois de um desfazer que falhou espera o fim dele, e ninguém é acordado à toa',
  async (t) => {
    const c = await casaQueFalha('UPDATE');
    await c.pedir('faturas');
    await c.executar();
    const [{ id }] = await c.linhas('faturamentos');
    const mendar = await c.falhar();
    t.teardown(mendar);
    await c.mudar(async ({ faturamento }) => faturamento.desfazer(id));
    for (let vez = 1; vez <= 9; vez += 1) {
      await t.throwsAsync(c.executar(), { message: ERRO });
      if (vez < 9) relogio.definir((await desfazendo()).falha!.proximaEm.toISOString());
    }
    const { proximaEm } = (await desfazendo()).falha!;
    await c.pedir('previa');
    await c.pedir('faturas');
    t.is((await c.executar()).feito, 0);
    // Longer than after which nobody is said to be at it.
    relogio.definir(new Date(proximaEm.getTime() - 1).toISOString());
    t.is((await c.executar()).feito, 0);
    t.false(await parado(c.id));
    for (const { semNinguem } of await c.ler(async ({ faturamento }) => faturamento.pedidosAbertos())) {
      t.false(semNinguem);
    }
    relogio.definir(proximaEm.toISOString());
    t.true(await parado(c.id));
    await mendar();
    t.is((await c.executar()).feito, 3);
    const [, , previa, faturas] = await c.pedidos();
    t.is(faturas.faturas, CONTRATOS);
    t.truthy(previa.terminado_em);

    async function desfazendo() {
      const [um] = await c.ler(async ({ faturamento }) => faturamento.pedidos('desfazer', 1));
      return um!;
    }
  },
);

test.serial('um relógio adiantado não esconde o que falhou, nem deixa repetir sem pausa', async (t) => {
  const c = await casaQueFalha();
  const mendar = await c.falhar();
  t.teardown(mendar);
  await c.pedir('faturas');
  relogio.definir('2027-03-05T12:00:00.000Z');
  await t.throwsAsync(c.executar(), { message: ERRO });
  relogio.definir('2027-03-02T12:10:00.000Z');
  t.true(await parado(c.id));
  await t.throwsAsync(c.executar(), { message: ERRO });
  const { falha } = await c.aberto();
  t.deepEqual(falha, { vezes: 2, em: relogio.agora(), erro: ERRO, proximaEm: new Date('2027-03-02T12:10:04.000Z') });
  t.is((await c.executar()).feito, 0);
  await mendar();
  relogio.definir(falha!.proximaEm.toISOString());
  t.is((await c.executar()).feito, 1);
});

test.serial('quem manda de novo o tem tentado já também por um worker de relógio atrasado', async (t) => {
  const c = await casaQueFalha();
  const mendar = await c.falhar();
  t.teardown(mendar);
  await c.pedir('faturas');
  await t.throwsAsync(c.executar(), { message: ERRO });
  await c.pedir('faturas');
  relogio.definir('2027-03-02T11:00:00.000Z');
  await t.throwsAsync(c.executar(), { message: ERRO });
  t.like((await c.aberto()).falha, { vezes: 2, em: relogio.agora() });
  t.is((await c.executar()).feito, 0);
  await mendar();
  await c.pedir('faturas');
  relogio.definir('2027-03-02T10:00:00.000Z');
  t.is((await c.executar()).feito, 1);
});

test.serial('o que um worker antigo leva adiante sem apagar a falha não espera por ela', async (t) => {
  const c = await casaQueFalha();
  const mendar = await c.falhar();
  t.teardown(mendar);
  await c.pedir('faturas');
  await t.throwsAsync(c.executar(), { message: ERRO });
  await mendar();
  await api
    .dono('faturamento_pedidos')
    .where('provedor_id', c.id)
    .update({ andou_em: '2027-03-02 12:00:01', proxima_em: '2027-03-02 14:00:00' });
  relogio.definir('2027-03-02T12:05:00.000Z');
  t.true(await parado(c.id));
  t.is((await c.executar()).feito, 1);
  t.is(await c.contar('faturas'), CONTRATOS);
});
