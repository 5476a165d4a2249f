import { atorDaTarefa } from '../../src/domain/actor.ts';
import type { RetomadaDoFaturamentoService } from '../../src/domain/faturamento/pedidos/retomada.service.ts';
import type { TarefasService } from '../../src/domain/tarefas/tarefas.service.ts';
import type { JobHandler, JobQueue } from './catalogue.ts';

/**
 * A failed task is queued again after this time. Its tries take about four minutes; a longer outage, for example of the
 * database, may be over by then. Until then it is listed as failed, and each round of tries ends with an error in the
 * log.
 */
const AGAIN_AFTER_MS = 15 * 60_000;

const ACTOR = atorDaTarefa('tarefas.planejar');

/**
 * Queues the tasks that each provider still has to do for its local day, and what people asked for of billing and nobody does, or is to
 * be tried again: a job that has run out of tries would leave a run half undone, whose contracts are charged nothing. What is queued already stays as it is.
 */
export function createTarefasPlanejarJob(
  tarefas: Pick<TarefasService, 'pendentes'>,
  faturamento: RetomadaDoFaturamentoService,
  queue: JobQueue,
): JobHandler<'tarefas.planejar'> {
  return async (_payload, { signal }) => {
    const pending = await tarefas.pendentes();
    for (const { tarefa, provedorId, dia } of pending) {
      if (signal.aborted) break;
      await queue.add(tarefa, { provedorId, dia }, { again: { afterMs: AGAIN_AFTER_MS } });
    }
    for (const provedorId of await faturamento.provedoresParados()) {
      if (signal.aborted) break;
      await queue.add('faturamento.executar', { provedorId });
    }
    if (!signal.aborted) await faturamento.pedirDeNovo(ACTOR);
    return { pendentes: pending.length };
  };
}
