import type { Filas } from '../cli/sessao.ts';
import { createQueueMonitor } from '../platform/queues/monitor.ts';
import { createRedis } from '../platform/redis/redis.ts';
import { relogioDoSistema } from '../platform/timing/relogio.ts';
import { jobDefinitions } from '../../workers/jobs/catalogue.ts';

const PRONTO_MS = 2000;

/** Opens the queues for a short command. What goes wrong because Redis is away is said in one line. */
export async function withQueues(redisUrl: string, tarefa: (filas: Filas) => Promise<void>): Promise<void> {
  const connection = createRedis(redisUrl, 'queue', () => {});
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error('O Redis das filas não respondeu em 2 s; confira QUEUE_REDIS_URL e REDIS_URL.')),
        PRONTO_MS,
      );
      connection.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    // Loaded here, because every process of the program loads this file.
    const { createQueue } = await import('../platform/queues/queue.ts');
    const fila = createQueue({ connection, definitions: jobDefinitions, onError: () => {} });
    const monitor = createQueueMonitor(fila);
    try {
      await tarefa({ fila, monitor, relogio: relogioDoSistema });
    } catch (error) {
      const fora = connection.status !== 'ready' || (error instanceof Error && error.message === 'Command timed out');
      throw fora ? new Error('O Redis das filas deixou de responder.', { cause: error }) : error;
    } finally {
      if (connection.status === 'ready') await fila.close();
    }
  } finally {
    connection.disconnect();
  }
}
