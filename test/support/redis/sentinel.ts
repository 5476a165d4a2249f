import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { locateServers } from '../../../src/local/binaries/locate-servers.ts';
import { portasLivres } from '../portas.ts';
import { ateResponder, iniciarServidor } from './servidor.ts';
import type { ServidorRedis } from './servidor.ts';

export interface RedisComSentinelas {
  /** For `REDIS_URL`. */
  readonly url: string;
  readonly mestre: ServidorRedis;
  readonly replica: ServidorRedis;
  fechar(): Promise<void>;
}

const NOME = 'malha';
const SENTINELAS = 3;
/** How long a master is silent until its Sentinels promote the replica. */
const SILENCIO_MS = 1000;

/** A master and its replica, watched by three Sentinels. */
export async function criarRedisComSentinelas(): Promise<RedisComSentinelas> {
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-sentinelas-'));
  const { redis: binario } = await locateServers({ database: false, redis: true }, pasta, () => {});
  if (binario === undefined) throw new Error('falta o redis-server');
  const [doMestre = 0, daReplica = 0, ...outras] = await portasLivres(2 + SENTINELAS);
  const mestre = iniciarServidor(binario, path.join(pasta, 'mestre'), doMestre, {});
  const replica = iniciarServidor(binario, path.join(pasta, 'replica'), daReplica, {
    replicaof: `127.0.0.1 ${doMestre}`,
  });
  const servidores = [mestre, replica];
  const fechar = async (): Promise<void> => {
    await Promise.all(servidores.map(async (servidor) => servidor.matar()));
    rmSync(pasta, { recursive: true, force: true });
  };
  try {
    await ateResponder(async () =>
      String(await replica.comando('INFO', 'replication')).includes('master_link_status:up'),
    );
    for (const porta of outras) {
      const dela = path.join(pasta, `sentinela-${porta}`);
      const arquivo = path.join(pasta, `sentinela-${porta}.conf`);
      writeFileSync(
        arquivo,
        [
          'bind 127.0.0.1',
          `port ${porta}`,
          `dir ${pasta}`,
          `sentinel monitor ${NOME} 127.0.0.1 ${doMestre} 2`,
          `sentinel down-after-milliseconds ${NOME} ${SILENCIO_MS}`,
          `sentinel failover-timeout ${NOME} 5000`,
          '',
        ].join('\n'),
      );
      servidores.push(iniciarServidor(binario, dela, porta, {}, [arquivo, '--sentinel']));
    }
    for (const sentinela of servidores.slice(2)) {
      await ateResponder(async () => {
        const dito = (await sentinela.comando('SENTINEL', 'MASTER', NOME)) as string[];
        const valor = (campo: string): number => Number(dito[dito.indexOf(campo) + 1]);
        return valor('num-other-sentinels') === SENTINELAS - 1 && valor('num-slaves') === 1;
      });
    }
  } catch (error) {
    await fechar();
    throw error;
  }
  return {
    url: `redis+sentinel://${outras.map((porta) => `127.0.0.1:${porta}`).join(',')}/${NOME}`,
    mestre,
    replica,
    fechar,
  };
}
