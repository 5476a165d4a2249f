import type { Consumer } from '../../platform/mysql/outbox-consumer.ts';
import type { JobQueue } from '../../../workers/jobs/catalogue.ts';

/** Hears that somebody asked for something of an import, wherever he asked. Its rows wait for it by this name. */
export const IMPORTS_ASKED_FOR: Pick<Consumer, 'name' | 'wants'> = {
  name: 'importacoes',
  wants: (tipo) => tipo === 'importacao.pedida',
};

/** Hears that somebody asked for the invoices of a month, or for their preview. Its rows wait for it by this name. */
export const BILLING_ASKED_FOR: Pick<Consumer, 'name' | 'wants'> = {
  name: 'faturamento',
  wants: (tipo) => tipo === 'faturamento.mandado',
};

const WORK = [
  [IMPORTS_ASKED_FOR, 'importacao.executar'],
  [BILLING_ASKED_FOR, 'faturamento.executar'],
] as const;

/** Queue the jobs that do what was asked for: processes that answer requests know nothing of the queues. */
export function createAskedForConsumers(queue: Pick<JobQueue, 'add'>, isReady: () => boolean): Consumer[] {
  return WORK.map(([asked, job]) => ({
    ...asked,
    async consume({ provedorId }) {
      // Waiting for Redis would hold the rows' locks; they are taken again in a moment.
      if (!isReady()) throw new Error('the Redis of the queues is away');
      await queue.add(job, { provedorId });
    },
  }));
}
