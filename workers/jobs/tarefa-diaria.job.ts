import { UnrecoverableError } from 'bullmq';
import { atorDaTarefa } from '../../src/domain/actor.ts';
import { EntradaInvalida } from '../../src/domain/erros.ts';
import { seDaqui } from '../../src/domain/por-provedor.ts';
import type { TarefasService } from '../../src/domain/tarefas/tarefas.service.ts';
import type { TarefaDiaria } from '../../src/domain/tarefas/tarefas.types.ts';
import type { JobHandler } from './catalogue.ts';

/** Does a task of one provider's day. */
export function createTarefaDiariaJob<T extends TarefaDiaria>(tarefas: TarefasService, tarefa: T): JobHandler<T> {
  const actor = atorDaTarefa(tarefa);
  return async ({ provedorId, dia }, { signal, progress }) => {
    if (!Number.isSafeInteger(provedorId) || provedorId < 1) throw new UnrecoverableError('provedorId must be an id');
    try {
      return await seDaqui(async () => {
        const qual = { tarefa, provedorId, dia };
        const { desfecho, linhas } = await tarefas.executar(actor, qual, { signal, aoAvancar: progress });
        return { desfecho, linhas };
      });
    } catch (error) {
      // Invalid input stays invalid, so the job is not tried again.
      throw error instanceof EntradaInvalida ? new UnrecoverableError(error.message) : error;
    }
  };
}
