import type { Consumer } from '../../platform/mysql/outbox-consumer.ts';
import type { JobQueue } from '../../../workers/jobs/catalogue.ts';

/** Hears that somebody asked for something of an import, wherever he asked. Its rows wait for it by this name. */
export const IMPORTS_ASKED_FOR: Pick<Consumer, 'name' | 'wants'> = {
  name: 'importacoes',
  wants: (tipo) => tipo === 'importacao.pedida',
};

/** Queues the job that does what was asked for: processes that answer requests know nothing of the queues. */
export function createImportsConsumer(queue: Pick<JobQueue, 'add'>, isReady: () => boolean): Consumer {
  return {
    ...IMPORTS_ASKED_FOR,
    async consume({ provedorId }) {
      // Waiting for Redis would hold the rows' locks; they are taken again in a moment.
      if (!isReady()) throw new Error('the Redis of the queues is away');
      await queue.add('importacao.executar', { provedorId });
    },
  };
}
