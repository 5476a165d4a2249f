import test from 'ava';
import { bumpsKey, tenantSlot } from '../../src/platform/gate/keys.ts';
import { comecarCarga } from '../support/aglomerado/carga.ts';
import { criarApi } from '../support/api.ts';
import { ate } from '../support/espera.ts';
import { quanto } from '../support/prova.ts';
import { criarRedisCluster } from '../support/redis/cluster.ts';
import { criarRedisComSentinelas } from '../support/redis/sentinel.ts';
import { ateResponder } from '../support/redis/servidor.ts';
import type { ServidorRedis } from '../support/redis/servidor.ts';
import { cliente } from './apoio.ts';

/** Each ends with the replica in the master's place. */
const FALHAS: Readonly<
  Record<string, (mestre: ServidorRedis, replica: ServidorRedis, maisEscritas: () => Promise<void>) => Promise<void>>
> = {
  morto: async (mestre) => mestre.matar(),
  parado: async (mestre, replica) => {
    mestre.pausar();
    await promovida(replica);
    mestre.continuar();
  },
  'separado da réplica e depois morto': async (mestre, replica, maisEscritas) => {
    replica.pausar();
    await mestre.comando('CLIENT', 'KILL', 'TYPE', 'replica');
    // Writes are answered whose bumps only the master has.
    await maisEscritas();
    await mestre.matar();
    replica.continuar();
  },
};

const promovida = async (replica: ServidorRedis): Promise<void> =>
  ateResponder(async () => String(await replica.comando('ROLE')).startsWith('master'));

type Donos = readonly [mestre: ServidorRedis, replica: ServidorRedis];

/** A Cluster, and who has the slot of a key there. */
const numCluster = (chaveDe: (provedor: number) => string) => async () => {
  const redis = await criarRedisCluster();
  return {
    url: redis.url,
    nos: redis.nos,
    fechar: async () => redis.fechar(),
    async donosDe(provedor: number): Promise<Donos> {
      const [mestre, replica] = await redis.donos(chaveDe(provedor));
      if (replica === undefined) throw new Error('o mestre não tem réplica');
      return [mestre, replica];
    },
  };
};

const ONDE = {
  'do slot de um provedor': numCluster((provedor) => bumpsKey(tenantSlot(provedor))),
  'do slot das filas': numCluster(() => 'malha:{malha}:filas'),
  'que sentinelas vigiam': async () => {
    const redis = await criarRedisComSentinelas();
    const nos: Donos = [redis.mestre, redis.replica];
    return { url: redis.url, nos, fechar: async () => redis.fechar(), donosDe: async () => Promise.resolve(nos) };
  },
};

for (const [nome, falhar] of Object.entries(FALHAS)) {
  for (const [onde, montar] of Object.entries(ONDE)) {
    test.serial(`o mestre ${onde} ${nome}, sob carga: tudo se responde, e nada velho`, async (t) => {
      t.timeout(quanto(240_000, 2_400_000));
      for (let vez = 0; vez < quanto(1, 20); vez += 1) {
        const redis = await montar();
        const api = await criarApi({ processos: 2, redis: redis.url });
        try {
          const clientes = [await cliente(api), await cliente(api)];
          const [mestre, replica] = await redis.donosDe(clientes[0]!.provedor);
          const carga = await comecarCarga(t, api, clientes);
          const { semEscreverMs } = await carga.durante(async () => {
            await falhar(mestre, replica, async () => {
              const antes = carga.total.escritas;
              await ate(() => carga.total.escritas > antes + 5);
            });
            await promovida(replica);
          });
          t.log(`${onde}, ${nome}: no máximo ${semEscreverMs} ms entre duas escritas respondidas`);
          await carga.terminar();
          t.deepEqual([carga.total.leiturasFalhadas, carga.total.escritasFalhadas], [0, 0]);
        } finally {
          for (const no of redis.nos) no.continuar();
          await api.fechar();
          await redis.fechar();
        }
      }
    });
  }
}
