import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { createQueue } from '../../src/platform/queues/queue.ts';
import { createRedis } from '../../src/platform/redis/redis.ts';
import { relogioDoSistema } from '../../src/platform/timing/relogio.ts';
import { startWorker } from '../../src/app/compose/worker.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { criarBanco } from '../support/banco.ts';
import { ate } from '../support/espera.ts';
import { criarRedisProprio } from '../support/redis-proprio.ts';
import type { RedisProprio } from '../support/redis-proprio.ts';
import { criarTomada } from '../support/tomada.ts';
import type { Tomada } from '../support/tomada.ts';
import { depsDoTrabalhador } from '../support/trabalhador.ts';
import { cliente, escrever, guarda } from './apoio.ts';
import { jobDefinitions } from '../../workers/jobs/catalogue.ts';

const socketDe = ({ url }: RedisProprio): string => new URL(url).searchParams.get('path')!;

/** A primary, its replica, and an address that leads to the primary and moves with it. */
async function doisRedis(t: ExecutionContext) {
  const [um, outro] = [await criarRedisProprio(), await criarRedisProprio()];
  const [endereco, doOutro] = [await criarTomada(socketDe(um)), await criarTomada(socketDe(outro))];
  t.teardown(async () => {
    for (const servidor of [endereco, doOutro, um, outro]) await servidor.fechar();
  });
  return {
    um,
    outro,
    doOutro,
    url: `redis://127.0.0.1:${endereco.porta}`,
    /** As a failover does: they change places, and the address moves; what is connected stays connected. */
    trocar: async (): Promise<void> => {
      await outro.comando('REPLICAOF', '127.0.0.1', String(endereco.porta));
      await ate(async () => String(await outro.comando('INFO', 'replication')).includes('master_link_status:up'));
      await outro.comando('REPLICAOF', 'NO', 'ONE');
      await um.comando('REPLICAOF', '127.0.0.1', String(doOutro.porta));
      endereco.virar(socketDe(outro));
    },
  };
}

/** The API, and what it says of its Redis. */
async function comLog(t: ExecutionContext, url: string): Promise<{ api: Api; ditas: string[] }> {
  const ditas: string[] = [];
  const destinoDoLog = { write: (linha: string) => void ditas.push((JSON.parse(linha) as { msg: string }).msg) };
  const api = await criarApi({ redis: url, env: { MALHA_LOG: 'info' }, destinoDoLog });
  t.teardown(() => api.fechar());
  return { api, ditas };
}

const degradado = async ({ container }: Api): Promise<boolean> => (await container.readiness()).degradado;

interface Impedimento {
  readonly impedir: (redis: RedisProprio, doOutro: Tomada) => Promise<unknown>;
  readonly soltar: (redis: RedisProprio) => Promise<unknown>;
}
const IMPEDIMENTOS: Readonly<Record<string, Impedimento>> = {
  'é réplica de outro': {
    impedir: async (redis, { porta }) => redis.comando('REPLICAOF', '127.0.0.1', String(porta)),
    soltar: async (redis) => redis.comando('REPLICAOF', 'NO', 'ONE'),
  },
  'não tem mais memória': {
    impedir: async (redis) => redis.comando('CONFIG', 'SET', 'maxmemory', '1'),
    soltar: async (redis) => redis.comando('CONFIG', 'SET', 'maxmemory', '0'),
  },
  'espera por réplicas que não tem': {
    impedir: async (redis) => redis.comando('CONFIG', 'SET', 'min-replicas-to-write', '1'),
    soltar: async (redis) => redis.comando('CONFIG', 'SET', 'min-replicas-to-write', '0'),
  },
};
for (const [nome, { impedir, soltar }] of Object.entries(IMPEDIMENTOS)) {
  test.serial(`um Redis que lê e não grava porque ${nome} está fora, uma vez só, até voltar a gravar`, async (t) => {
    const { um, doOutro, url } = await doisRedis(t);
    const { api, ditas } = await comLog(t, url);
    const c = await cliente(api);
    await guarda(api, 0, c);
    ditas.length = 0;
    await impedir(um, doOutro);
    await ate(async () => degradado(api));
    for (let i = 0; i < 30; i += 1) {
      t.is((await api.get(c.caminho, { chave: c.algumaChave() })).status, 200);
      t.true(await degradado(api));
      await sleep(20);
    }
    t.deepEqual(ditas, ['Redis fora: limites por processo, leituras direto do banco']);
    await soltar(um);
    await ate(async () => !(await degradado(api)));
    await guarda(api, 0, c);
    t.is(ditas.at(-1), 'Redis de volta');
    t.is(ditas.length, 2);
  });
}

test.serial('um Redis rebaixado a réplica é deixado por quem é primário agora, sem leitura velha', async (t) => {
  const { url, trocar } = await doisRedis(t);
  const { api } = await comLog(t, url);
  const c = await cliente(api);
  await guarda(api, 0, c);
  await trocar();
  await ate(async () => degradado(api));
  await escrever(api, c);
  t.is(c.mostrado(await api.get(c.caminho, { chave: c.chave })), c.escrito());
  await ate(async () => !(await degradado(api)));
  await guarda(api, 0, c);
  await escrever(api, c);
  t.is(c.mostrado(await api.get(c.caminho, { chave: c.chave })), c.escrito());
});

test.serial('as filas deixam um Redis rebaixado a réplica: o trabalho é feito por quem é primário agora', async (t) => {
  const { outro, url, trocar } = await doisRedis(t);
  const banco = await criarBanco();
  t.teardown(() => banco.fechar());
  const feitas: string[] = [];
  const onJob = (job: string): void => {
    if (job === 'outbox.publicar' || job === 'retencao.limpar') feitas.push(job);
  };
  const worker = startWorker(depsDoTrabalhador(banco.db, url, { relogio: relogioDoSistema, onJob }));
  t.teardown(() => worker.stop());
  await trocar();
  // Asked for where the primary is now, on a connection that never saw the other.
  const connection = createRedis(outro.url, 'queue', () => {});
  await new Promise((resolve) => connection.once('ready', resolve));
  const fila = createQueue({ connection, definitions: jobDefinitions, onError: () => {} });
  t.teardown(async () => {
    await fila.close();
    connection.disconnect();
  });
  await fila.add('outbox.publicar', {});
  await fila.add('retencao.limpar', {});
  await ate(async () => feitas.includes('outbox.publicar') && feitas.includes('retencao.limpar'), 30_000);
  t.pass();
});
