import test from 'ava';
import { createRetomadaDoFaturamentoService } from '../../../src/domain/faturamento/pedidos/retomada.service.ts';
import { atorDaTarefa } from '../../../src/domain/actor.ts';
import { createEscrita } from '../../../src/domain/escrita.ts';
import { createQueue } from '../../../src/platform/queues/queue.ts';
import { createRedis } from '../../../src/platform/redis/redis.ts';
import { jobDefinitions } from '../../../workers/jobs/catalogue.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { falharCobrancas } from '../../support/falha-de-cobranca.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarCasaDoWorker } from './casa-do-worker.ts';
import { comandosDe } from './comandos.ts';

const AGORA = '2027-03-02T12:00:00.000Z';
const DEPOIS = '2027-03-02T12:03:00.000Z';
const ATOR = atorDaTarefa('tarefas.planejar');
/** More than are undone at once. */
const CONTRATOS = 1100;
const relogio = relogioEm(AGORA);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

function retomada() {
  const { db } = api.container;
  const write = createEscrita({ db, gate: { bump: async () => {} }, onUnconfirmed: () => {} });
  return createRetomadaDoFaturamentoService({ db, write, relogio });
}

/** One whose month is being undone, and whose worker died after the first part. */
async function meioDesfeita() {
  const c = await criarCasaDoWorker(api, CONTRATOS);
  await c.pedir('faturas');
  await c.executar();
  const [{ id: vez }] = await c.linhas('faturamentos');
  const { pedido } = await c.mudar(async ({ faturamento }) => faturamento.desfazer(vez));
  await c.executar(1000).catch(() => {});
  const doPedido = () => api.dono('faturamento_pedidos').where('id', pedido);
  const desfazendo = async (): Promise<boolean> => (await c.linhas('faturamentos'))[0].desfazendo === 1;
  return { ...c, vez: vez as number, doPedido, desfazendo };
}

test.serial('o que há dois minutos ninguém faz se acha, por índice, e o de quem se muda daqui não', async (t) => {
  const [parado, mudado, feito, novo] = [
    await criarCasaDoWorker(api, 1),
    await criarCasaDoWorker(api, 1),
    await criarCasaDoWorker(api, 1),
    await criarCasaDoWorker(api, 1),
  ];
  for (const c of [parado, mudado, feito]) await c.pedir('previa');
  await feito.executar();
  await api.dono('provedores').where('id', mudado.id).update({ mudanca: 'saindo' });
  t.teardown(async () => api.dono('faturamento_pedidos').delete());
  t.deepEqual(await retomada().provedoresParados(), []);
  relogio.definir(DEPOIS);
  await novo.pedir('previa');
  const { comandos } = await comandosDe(api, async () => {
    t.deepEqual(await retomada().provedoresParados(), [parado.id]);
    t.is(await retomada().pedirDeNovo(ATOR), 0);
  });
  // A sign of life of another order is one of all: they are done one after the other.
  await api.dono('faturamento_pedidos').where('provedor_id', parado.id).update({ andou_em: '2027-03-02 12:02:00' });
  t.deepEqual(await retomada().provedoresParados(), []);
  const chaves = [];
  for (const { sql, bindings } of comandos) {
    const [plano] = await api.dono.raw(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, bindings as never);
    chaves.push(plano[0].key);
  }
  t.deepEqual(chaves, ['faturamento_pedidos_abertos', 'faturamentos_desfazendo']);
});

test.serial(
  'o que se desfaz sem pedido, ou cujo pedido outro encerrou, se pede de novo, em nome de quem o mandou',
  async (t) => {
    const [perdido, encerrado] = [await meioDesfeita(), await meioDesfeita()];
    await perdido.doPedido().delete();
    // As a worker of a release that does not know it does.
    await encerrado.doPedido().update({ terminado_em: '2027-03-02 12:00:30' });
    const [lido] = await encerrado.ler(async ({ faturamento }) => faturamento.pedidos('desfazer', 1));
    t.true(lido!.semEfeito);
    t.is(await retomada().pedirDeNovo(ATOR), 1);
    t.is(await retomada().pedirDeNovo(ATOR), 0);
    relogio.definir(DEPOIS);
    t.is(await retomada().pedirDeNovo(ATOR), 1);
    t.is(await retomada().pedirDeNovo(ATOR), 0);
    for (const c of [perdido, encerrado]) {
      const [{ desfeito_por }] = await c.linhas('faturamentos');
      const [de_novo] = await c.ler(async ({ faturamento }) => faturamento.pedidos('desfazer', 1));
      t.like(de_novo, { autor: desfeito_por, faturamentoId: c.vez, total: CONTRATOS, semEfeito: false });
      await c.executar();
      t.false(await c.desfazendo());
      t.is(await c.contar('faturamento_cobrancas'), 0);
    }
    t.is(await retomada().pedirDeNovo(ATOR), 0);
  },
);

test.serial('o que um relógio adiantado anotou não esconde o que ninguém faz', async (t) => {
  const c = await criarCasaDoWorker(api, 1);
  t.teardown(async () => api.dono('faturamento_pedidos').delete());
  await c.pedir('previa');
  await api.dono('faturamento_pedidos').where('provedor_id', c.id).update({ andou_em: '2027-03-03 12:00:00' });
  t.deepEqual(await retomada().provedoresParados(), []);
  relogio.definir(DEPOIS);
  t.deepEqual(await retomada().provedoresParados(), [c.id]);
  const d = await meioDesfeita();
  await d.doPedido().update({ terminado_em: '2027-03-03 12:00:00' });
  t.is(await retomada().pedirDeNovo(ATOR), 1);
  await d.executar();
});

test.serial('um worker acaba sozinho o que se desfaz e de que a fila nada mais sabe', async (t) => {
  const [perdido, esquecido] = [await meioDesfeita(), await meioDesfeita()];
  await perdido.doPedido().delete();
  // Their jobs have failed for good: nobody tells the queue of them.
  await api.dono('eventos_pendentes').delete();
  relogio.definir(DEPOIS);
  const worker = await api.container.startWorker({ redisUrl: api.redisUrl });
  try {
    await ate(async () => !(await perdido.desfazendo()) && !(await esquecido.desfazendo()), 60_000);
  } finally {
    await worker.stop();
  }
  for (const c of [perdido, esquecido]) t.is(await c.contar('faturamento_cobrancas'), 0);
});

test.serial(
  'o que falha não deixa nada na fila à espera, nem segura o que se pede depois, e se tenta quando vence',
  async (t) => {
    const c = await criarCasaDoWorker(api, 3);
    const mendar = await falharCobrancas(api, 'INSERT', `NEW.provedor_id = ${c.id}`);
    t.teardown(mendar);
    const worker = await api.container.startWorker({ redisUrl: api.redisUrl });
    const connection = createRedis(api.redisUrl, 'queue', () => {});
    const queue = createQueue({ connection, definitions: jobDefinitions, onError: () => {} });
    try {
      await c.pedir('faturas');
      await ate(async () => (await c.pedidos())[0].falhas > 0);
      await ate(async () => (await queue.queues.noite.getJobCounts('failed'))['failed'] === 1);
      await c.pedir('previa');
      await ate(async () => (await c.pedidos())[1].terminado_em !== null);
      await mendar();
      relogio.definir((await c.pedidos())[0].proxima_em.replace(' ', 'T').concat('Z'));
      await ate(async () => (await c.pedidos())[0].terminado_em !== null, 60_000);
    } finally {
      await worker.stop();
      await queue.close();
      connection.disconnect();
    }
    t.is(await c.contar('faturas'), 3);
  },
);
