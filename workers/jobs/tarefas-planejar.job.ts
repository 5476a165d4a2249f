import type { TarefasService } from '../../src/domain/tarefas/tarefas.service.ts';
import type { JobHandler } from '../../src/platform/queues/jobs.ts';
import type { JobQueue } from '../../src/platform/queues/queue.ts';

/** Queues what is left to do of each provider's day. What is queued already stays as it is. */
export function createTarefasPlanejarJob(tarefas: TarefasService, queue: JobQueue): JobHandler<'tarefas.planejar'> {
  return async (_payload, { signal }) => {
    const pendentes = await tarefas.pendentes();
    for (const { tarefa, provedorId, dia } of pendentes) {
      if (signal.aborted) break;
      await queue.add(tarefa, { provedorId, dia });
    }
    return { pendentes: pendentes.length };
  };
}
