import type { Filas } from '../cli/sessao.ts';
import { createQueueMonitor } from '../platform/queues/monitor.ts';
import { createRedis, endRedis, whenReady } from '../platform/redis/redis.ts';
import { relogioDoSistema } from '../platform/timing/relogio.ts';
import { jobDefinitions } from '../../workers/jobs/catalogue.ts';

/** Opens the queues for a short command. When Redis is away, the error is one line for the person at the terminal. */
export async function withQueues(redisUrl: string, task: (queues: Filas) => Promise<void>): Promise<void> {
  const connection = createRedis(redisUrl, 'queue', () => {});
  try {
    await whenReady(connection, 'O Redis das filas não respondeu', 'confira QUEUE_REDIS_URL e REDIS_URL');
    // Imported here, because every process loads this file and only these commands need the package.
    const { createQueue } = await import('../platform/queues/queue.ts');
    const queue = createQueue({ connection, definitions: jobDefinitions, onError: () => {} });
    const monitor = createQueueMonitor(queue);
    try {
      await task({ fila: queue, monitor, relogio: relogioDoSistema });
    } catch (error) {
      const isAway = connection.status !== 'ready' || (error instanceof Error && error.message === 'Command timed out');
      throw isAway ? new Error('O Redis das filas deixou de responder.', { cause: error }) : error;
    } finally {
      if (connection.status === 'ready') await queue.close();
    }
  } finally {
    endRedis(connection);
  }
}
