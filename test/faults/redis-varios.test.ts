import test from 'ava';
import type { ExecutionContext } from 'ava';
import { bumpsKey, tenantSlot } from '../../src/platform/gate/keys.ts';
import { SERVE, runScript } from '../../src/platform/gate/scripts.ts';
import { createRedis, endRedis } from '../../src/platform/redis/redis.ts';
import { criarApi } from '../support/api.ts';
import { criarRedisCluster } from '../support/redis/cluster.ts';
import { criarRedisComSentinelas } from '../support/redis/sentinel.ts';
import { ateResponder } from '../support/redis/servidor.ts';
import type { ServidorRedis } from '../support/redis/servidor.ts';
import { cliente, escrever, guarda, lerDurante } from './apoio.ts';
import type { Cliente } from './apoio.ts';

const chaveDe = ({ provedor }: Cliente): string => bumpsKey(tenantSlot(provedor));

/** A process that only the other provider asks. */
const DO_VIZINHO = 2;

/** Three processes on a Cluster, and clients of two providers whose slots two masters hold. */
async function comCluster(t: ExecutionContext) {
  const redis = await criarRedisCluster();
  const api = await criarApi({ processos: 3, redis: redis.url });
  t.teardown(async () => {
    for (const no of redis.nos) no.continuar();
    await api.fechar();
    await redis.fechar();
  });
  const c = await cliente(api);
  const [mestre, replica] = await redis.donos(chaveDe(c));
  if (replica === undefined) throw new Error('o mestre não tem réplica');
  let outro = await cliente(api);
  while ((await redis.donos(chaveDe(outro)))[0] === mestre) outro = await cliente(api);
  for (const processo of [0, 1]) await guarda(api, processo, c);
  await guarda(api, DO_VIZINHO, outro);
  return { redis, api, c, outro, mestre, replica };
}

/** Sentinels cut all connections of whom they promote. */
const promovida = (replica: ServidorRedis) =>
  ateResponder(async () => String(await replica.comando('ROLE')).startsWith('master'));

/** Two processes behind Sentinels, and a client whose answers both keep. */
async function comSentinelas(t: ExecutionContext) {
  const redis = await criarRedisComSentinelas();
  const api = await criarApi({ processos: 2, redis: redis.url });
  t.teardown(async () => {
    redis.mestre.continuar();
    redis.replica.continuar();
    await api.fechar();
    await redis.fechar();
  });
  const c = await cliente(api);
  for (const processo of [0, 1]) await guarda(api, processo, c);
  return { api, c, mestre: redis.mestre, replica: redis.replica };
}

for (const [onde, montar] of [
  ['num Cluster', comCluster],
  ['com sentinelas', comSentinelas],
] as const) {
  test.serial(
    `${onde}, a promoção que perdeu a marca de uma escrita respondida não deixa resposta velha`,
    async (t) => {
      const { api, c, mestre, replica } = await montar(t);
      const marcas = async (no: ServidorRedis): Promise<number> =>
        Number(await no.comando('EVAL', "return redis.call('HGET', KEYS[1], ':bumps')", '1', chaveDe(c)));
      // The replica hears nothing more, as if the network were cut; then the master dies with what it alone knew.
      replica.pausar();
      await mestre.comando('CLIENT', 'KILL', 'TYPE', 'replica');
      await escrever(api, c);
      const soNoMestre = await marcas(mestre);
      await mestre.matar();
      replica.continuar();
      await promovida(replica);
      t.true((await marcas(replica)) < soNoMestre, 'a marca não se perdeu');
      for (let n = 0; n < 10; n++) {
        for (const processo of [0, 1]) {
          const resposta = await api.get(c.caminho, { chave: c.algumaChave(), processo });
          t.is(resposta.status, 200);
          t.is(c.mostrado(resposta), c.escrito());
        }
      }
      for (const processo of [0, 1]) await guarda(api, processo, c);
    },
  );
}

test.serial(
  'com sentinelas, o mestre parado e trocado: nenhuma leitura velha, nenhum 5xx, e o novo é achado',
  async (t) => {
    const { api, c, mestre, replica } = await comSentinelas(t);
    await lerDurante(t, api, c, async () => {
      mestre.pausar();
      await escrever(api, c);
      await promovida(replica);
      await escrever(api, c);
      // It comes back as a replica of the one that took its place.
      mestre.continuar();
      await escrever(api, c);
    });
    for (const processo of [0, 1]) await guarda(api, processo, c);
  },
);

test.serial('com sentinelas, um mestre que fica parado é deixado por quem tomou o lugar dele', async (t) => {
  const { api, c, mestre, replica } = await comSentinelas(t);
  mestre.pausar();
  await promovida(replica);
  // It is still frozen: kept and confirmed by the other one alone.
  for (const processo of [0, 1]) await guarda(api, processo, c);
  await escrever(api, c);
  for (const processo of [0, 1]) {
    t.is(c.mostrado(await api.get(c.caminho, { chave: c.algumaChave(), processo })), c.escrito());
  }
});

test.serial('com sentinelas, quem só ouve também deixa o mestre que ficou parado', async (t) => {
  const redis = await criarRedisComSentinelas();
  const { mestre, replica } = redis;
  const ouvinte = createRedis(redis.url, 'live', () => {});
  t.teardown(async () => {
    mestre.continuar();
    endRedis(ouvinte);
    await redis.fechar();
  });
  await ouvinte.subscribe('novas');
  const ouvida = new Promise((resolve) => ouvinte.once('message', (...dela) => resolve(dela)));
  mestre.pausar();
  await promovida(replica);
  await ateResponder(async () => Number(await replica.comando('PUBLISH', 'novas', 'uma')) > 0);
  t.deepEqual(await ouvida, ['novas', 'uma']);
});

test.serial('a era que se responde é outra depois de uma promoção, sem que conexão nenhuma caia', async (t) => {
  const { mestre, replica } = await comSentinelas(t);
  const slot = tenantSlot(1);
  const redis = createRedis(`redis://127.0.0.1:${mestre.porta}`, 'worker', (error) => t.fail(error.message));
  t.teardown(() => redis.disconnect());
  const perguntar = async () =>
    ((await runScript(redis, SERVE, [bumpsKey(slot)], [60_000, 'nova', 60_000, 'a'])) as [string[]])[0];
  const antes = await perguntar();
  t.deepEqual(await perguntar(), antes);
  // As when it is made a replica and then a master again: what it holds may lack what another was told meanwhile.
  await mestre.comando('REPLICAOF', '127.0.0.1', String(replica.porta));
  await mestre.comando('REPLICAOF', 'NO', 'ONE');
  const depois = await perguntar();
  t.not(depois[0], antes[0]);
  t.deepEqual(depois.slice(1), antes.slice(1));
});

const QUEDAS: Readonly<Record<string, { cair(mestre: ServidorRedis): unknown; voltar?(mestre: ServidorRedis): void }>> =
  {
    morto: { cair: async (mestre) => mestre.matar() },
    'parado, e de volta depois da promoção': {
      cair: (mestre) => mestre.pausar(),
      voltar: (mestre) => mestre.continuar(),
    },
  };
for (const [nome, queda] of Object.entries(QUEDAS)) {
  test.serial(
    `o mestre de um slot ${nome}: nenhuma leitura velha, nenhum 5xx, e só os seus provedores sentem`,
    async (t) => {
      const { redis, api, c, outro, mestre, replica } = await comCluster(t);
      await lerDurante(t, { ...api, containers: api.containers.slice(0, DO_VIZINHO) }, c, async () => {
        // Nobody takes the master's place yet.
        replica.pausar();
        await queda.cair(mestre);
        for (let n = 0; n < 3; n++) {
          await escrever(api, c);
          await guarda(api, DO_VIZINHO, outro);
        }
        replica.continuar();
        await Promise.all([promovida(replica), escrever(api, c)]);
        queda.voltar?.(mestre);
        await escrever(api, c);
      });
      for (const processo of [0, 1]) await guarda(api, processo, c);
      t.is((await redis.donos(chaveDe(c)))[0], replica);
      await escrever(api, c);
      for (const processo of [0, 1]) {
        t.is(c.mostrado(await api.get(c.caminho, { chave: c.algumaChave(), processo })), c.escrito());
      }
    },
  );
}
