import type { TarefasService } from '../../src/domain/tarefas/tarefas.service.ts';
import type { JobHandler, JobQueue } from './catalogue.ts';

/**
 * A failed task is queued again after this time. Its tries take about four minutes; a longer outage, for example of the
 * database, may be over by then. Until then it is listed as failed, and each round of tries ends with an error in the
 * log.
 */
const AGAIN_AFTER_MS = 15 * 60_000;

/**
 * Queues the tasks that each provider still has to do for its local day. Tasks that are queued already stay as they
 * are.
 */
export function createTarefasPlanejarJob(tarefas: TarefasService, queue: JobQueue): JobHandler<'tarefas.planejar'> {
  return async (_payload, { signal }) => {
    const pending = await tarefas.pendentes();
    for (const { tarefa, provedorId, dia } of pending) {
      if (signal.aborted) break;
      await queue.add(tarefa, { provedorId, dia }, { again: { afterMs: AGAIN_AFTER_MS } });
    }
    return { pendentes: pending.length };
  };
}
