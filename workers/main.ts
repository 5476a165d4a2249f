import type { Logger } from 'pino';
import { createAgregacao } from '../src/domain/conexoes/agregacao.ts';
import type { AgregacaoDeps } from '../src/domain/conexoes/agregacao.ts';
import { createJobWorker, createQueue } from '../src/platform/queues.ts';
import type { JobHandlers } from '../src/platform/queues.ts';
import { createRedis } from '../src/platform/redis.ts';
import { createConexoesAgregarJob } from './jobs/conexoes-agregar.job.ts';
import { createConexoesParadasJob } from './jobs/conexoes-paradas.job.ts';
import { createConexoesRecalcularJob } from './jobs/conexoes-recalcular.job.ts';

export interface WorkerDeps extends AgregacaoDeps {
  readonly logger: Logger;
  /** Redis of the queues, with `noeviction`. */
  readonly redisUrl: string;
  readonly queuePrefix?: string;
}

/**
 * Starts the worker: its schedulers stand and it takes jobs once this resolves, for which it waits until Redis is there.
 * `stop` lets running jobs end, and leaves the database open, which is the caller's.
 */
export async function startWorker(deps: WorkerDeps): Promise<{ stop(): Promise<void> }> {
  const { logger, redisUrl, queuePrefix } = deps;
  const onError = (error: Error): void => logger.warn({ motivo: error.message }, 'Redis das filas inacessível');
  const prefix = queuePrefix === undefined ? {} : { prefix: queuePrefix };

  const agregacao = createAgregacao(deps);
  const handlers: JobHandlers = {
    'conexoes.agregar': createConexoesAgregarJob(agregacao),
    'conexoes.paradas': createConexoesParadasJob(agregacao),
    'conexoes.recalcular': createConexoesRecalcularJob(agregacao),
  };

  const connection = createRedis(redisUrl, 'worker', onError);
  const queue = createQueue({ connection, ...prefix, onError });
  await queue.schedule();
  const worker = createJobWorker({
    connection,
    ...prefix,
    handlers,
    onCompleted: (report) => logger[report.repeating ? 'debug' : 'info'](report, 'tarefa concluída'),
    onFailed: (report, motivo) => logger.error({ ...report, motivo }, 'tarefa falhou'),
    onError,
  });

  return {
    async stop() {
      await worker.stop();
      await queue.close();
      connection.disconnect();
    },
  };
}
