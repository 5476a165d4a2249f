import { join } from 'node:path';
import { locateServers } from '../src/local/binaries/locate-servers.ts';
import { portasLivres } from '../test/support/portas.ts';
import { criarRedisCluster } from '../test/support/redis/cluster.ts';
import { ateResponder, iniciarServidor } from '../test/support/redis/servidor.ts';
import { openDataset } from './data/dataset.ts';
import { createKeys } from './data/keys.ts';
import { cpfOf } from './data/rows.ts';
import type { BenchContext } from './support/bench.ts';
import { get, lookupTarget, requestText } from './support/service.ts';
import { median, medianRatio } from './support/stats.ts';
import { printTable } from './support/table.ts';
import { prepareWrk } from './support/wrk.ts';

const CLIENTS = 2000;
/** No key may ask more than 1,200 times a minute. */
const KEYS = 4000;
const CONNECTIONS = 64;
const ROUNDS = 5;
const SECONDS_A_ROUND = 4;
const WARM_UP_SECONDS = 3;

interface Contender {
  readonly name: string;
  readonly port: number;
  readonly perSecond: number[];
}

/** A kept client by CPF, by a process on a Redis Cluster of three masters and by one on a single Redis, both over TCP. */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, scratchDir, log } = context;
  const dataset = await openDataset(context, CLIENTS);
  const keys = await createKeys(dataset, KEYS);
  const requests = keys.map((key, i) => requestText(lookupTarget(cpfOf(1 + (i % CLIENTS))), key));
  const cluster = await criarRedisCluster();
  try {
    const single = await startRedis(scratchDir);
    try {
      const contender = async (name: string, redisUrl: string): Promise<Contender> => {
        const { port } = await children.serve({ DATABASE_URL: dataset.url, REDIS_URL: redisUrl });
        log(`Aquecendo: ${name}…`);
        for (const [i, key] of keys.entries()) {
          const { status, body } = await get(port, lookupTarget(cpfOf(1 + (i % CLIENTS))), key);
          if (status !== 200) throw new Error(body);
        }
        return { name, port, perSecond: [] };
      };
      const all = [
        await contender('um Redis', `redis://127.0.0.1:${single.porta}`),
        await contender('Redis Cluster', cluster.url),
      ];
      const wrk = await prepareWrk(context, 'cluster', requests);
      for (const { port } of all) await wrk.saturate({ port, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
      for (let turn = 1; turn <= ROUNDS; turn += 1) {
        log(`Rodada ${turn} de ${ROUNDS}…`);
        for (const { port, perSecond } of all) {
          perSecond.push((await wrk.saturate({ port, connections: CONNECTIONS, seconds: SECONDS_A_ROUND })).perSecond);
        }
      }
      printTable(
        ['consulta por CPF, em cache', 'req/s'],
        all.map(({ name, perSecond }) => [name, Math.round(median(perSecond))]),
      );
      const [one, three] = all;
      return { cluster_ratio: medianRatio(three?.perSecond ?? [], one?.perSecond ?? []) };
    } finally {
      await single.matar();
    }
  } finally {
    await cluster.fechar();
  }
}

async function startRedis(folder: string): Promise<ReturnType<typeof iniciarServidor>> {
  const { redis } = await locateServers({ database: false, redis: true }, folder, () => {});
  if (redis === undefined) throw new Error('falta o redis-server');
  const [port = 0] = await portasLivres(1);
  const server = iniciarServidor(redis, join(folder, 'um-redis'), port, {});
  await ateResponder(async () => (await server.comando('PING')) === 'PONG');
  return server;
}
