import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { locateServers } from '../../../src/local/binaries/locate-servers.ts';
import { portasLivres } from '../portas.ts';
import { ateResponder as ate, iniciarServidor } from './servidor.ts';
import type { ServidorRedis } from './servidor.ts';

export interface RedisCluster {
  /** For `REDIS_URL`. */
  readonly url: string;
  readonly nos: readonly ServidorRedis[];
  /** The master that holds a key's slot, and its replicas. */
  donos(chave: string): Promise<readonly [mestre: ServidorRedis, ...replicas: ServidorRedis[]]>;
  fechar(): Promise<void>;
}

/** How long a node is silent until the others elect its replica. */
const SILENCIO_MS = 1000;
const MESTRES = 3;

/** A Redis Cluster of three masters with one replica each. */
export async function criarRedisCluster(): Promise<RedisCluster> {
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-cluster-'));
  const { redis: binario } = await locateServers({ database: false, redis: true }, pasta, () => {});
  if (binario === undefined) throw new Error('falta o redis-server');
  const livres = await portasLivres(4 * MESTRES);
  const nos = Array.from({ length: 2 * MESTRES }, (_, n) =>
    iniciarServidor(binario, path.join(pasta, String(n)), livres[2 * n] ?? 0, {
      'cluster-enabled': 'yes',
      'cluster-port': String(livres[2 * n + 1]),
      'cluster-node-timeout': String(SILENCIO_MS),
      'cluster-config-file': 'nodes.conf',
      // Slots that have a master are served while others have none.
      'cluster-require-full-coverage': 'no',
      // However long a test keeps it from its master.
      'cluster-replica-validity-factor': '0',
    }),
  );
  const fechar = async (): Promise<void> => {
    await Promise.all(nos.map(async (no) => no.matar()));
    rmSync(pasta, { recursive: true, force: true });
  };
  try {
    await juntar(nos, livres);
  } catch (error) {
    await fechar();
    throw error;
  }
  return {
    url: `redis+cluster://${nos.map(({ porta }) => `127.0.0.1:${porta}`).join(',')}`,
    nos,
    async donos(chave) {
      const vivo = await primeiroVivo(nos);
      const slot = Number(await vivo.comando('CLUSTER', 'KEYSLOT', chave));
      const trechos = (await vivo.comando('CLUSTER', 'SLOTS')) as [number, number, ...[string, number][]][];
      const trecho = trechos.find(([primeiro, ultimo]) => slot >= primeiro && slot <= ultimo);
      const servidores = (trecho ?? []).slice(2) as [string, number][];
      const portas = servidores.map(([, porta]) => porta);
      const [mestre, ...replicas] = portas.flatMap((porta) => nos.find((no) => no.porta === porta) ?? []);
      if (mestre === undefined) throw new Error(`o slot ${slot} não tem mestre`);
      return [mestre, ...replicas];
    },
    fechar,
  };
}

/** What `redis-cli --cluster create` does: slots, one epoch each, everybody met, replicas behind masters. */
async function juntar(nos: readonly ServidorRedis[], portas: readonly number[]): Promise<void> {
  for (const no of nos) await ate(async () => (await no.comando('PING')) === 'PONG');
  const tamanho = Math.ceil(16_384 / MESTRES);
  for (const [n, no] of nos.entries()) {
    await no.comando('CLUSTER', 'SET-CONFIG-EPOCH', String(n + 1));
    if (n >= MESTRES) continue;
    await no.comando('CLUSTER', 'ADDSLOTSRANGE', String(n * tamanho), String(Math.min((n + 1) * tamanho, 16_384) - 1));
  }
  for (const [n, no] of nos.entries()) {
    if (n > 0) await no.comando('CLUSTER', 'MEET', '127.0.0.1', String(portas[0]), String(portas[1]));
  }
  const conhecidos = async (no: ServidorRedis): Promise<number> =>
    String(await no.comando('CLUSTER', 'NODES'))
      .trim()
      .split('\n')
      .filter((linha) => !linha.includes('handshake')).length;
  for (const no of nos) await ate(async () => (await conhecidos(no)) === nos.length);
  const ids = await Promise.all(nos.map(async (no) => String(await no.comando('CLUSTER', 'MYID'))));
  for (const [n, no] of nos.entries()) {
    if (n < MESTRES) continue;
    await ate(async () => (await no.comando('CLUSTER', 'REPLICATE', ids[n - MESTRES] ?? '')) === 'OK');
  }
  for (const [n, no] of nos.entries()) {
    await ate(async () => String(await no.comando('CLUSTER', 'INFO')).includes('cluster_state:ok'));
    // Each hears from the others who is whose replica.
    await ate(async () =>
      ((await no.comando('CLUSTER', 'SLOTS')) as unknown[][]).every((trecho) => trecho.length === 4),
    );
    if (n >= MESTRES)
      await ate(async () => String(await no.comando('INFO', 'replication')).includes('master_link_status:up'));
  }
}

async function primeiroVivo(nos: readonly ServidorRedis[]): Promise<ServidorRedis> {
  for (const no of nos) {
    try {
      if (String(await no.comando('CLUSTER', 'INFO')).includes('cluster_state:ok')) return no;
    } catch {
      // The next one is asked.
    }
  }
  throw new Error('nenhum nó do Cluster responde');
}
