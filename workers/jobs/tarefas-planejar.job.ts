import type { TarefasService } from '../../src/domain/tarefas/tarefas.service.ts';
import type { JobHandler, JobQueue } from './catalogue.ts';

/**
 * What failed is asked for again after this: its tries take some four minutes, and what outlasted them, such as a database that is away, may be over
 * some time later. Until then it is seen among the failed, and every round of tries ends in an error line.
 */
const OUTRA_VEZ_MS = 15 * 60_000;

/** Queues what is left to do of each provider's day. What is queued already stays as it is. */
export function createTarefasPlanejarJob(tarefas: TarefasService, queue: JobQueue): JobHandler<'tarefas.planejar'> {
  return async (_payload, { signal }) => {
    const pendentes = await tarefas.pendentes();
    for (const { tarefa, provedorId, dia } of pendentes) {
      if (signal.aborted) break;
      await queue.add(tarefa, { provedorId, dia }, { again: { afterMs: OUTRA_VEZ_MS } });
    }
    return { pendentes: pendentes.length };
  };
}
