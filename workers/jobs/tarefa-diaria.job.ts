import { UnrecoverableError } from 'bullmq';
import type { Logger } from 'pino';
import { atorDaTarefa } from '../../src/domain/actor.ts';
import { EntradaInvalida } from '../../src/domain/erros.ts';
import { seDaqui } from '../../src/domain/por-provedor.ts';
import type { TarefasService } from '../../src/domain/tarefas/tarefas.service.ts';
import type { TarefaDiaria } from '../../src/domain/tarefas/tarefas.types.ts';
import type { JobHandler } from './catalogue.ts';

export interface TarefaDiariaDeps {
  readonly tarefas: Pick<TarefasService, 'executar' | 'dizerQueFalhou'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Does a task of one provider's day, and tells the provider's staff where its tries are used up. */
export function createTarefaDiariaJob<T extends TarefaDiaria>(
  { tarefas, logger }: TarefaDiariaDeps,
  tarefa: T,
): JobHandler<T> {
  const actor = atorDaTarefa(tarefa);
  return async ({ provedorId, dia }, { signal, lastTry, progress }) => {
    if (!Number.isSafeInteger(provedorId) || provedorId < 1) throw new UnrecoverableError('provedorId must be an id');
    try {
      return await seDaqui(async () => {
        const qual = { tarefa, provedorId, dia };
        const { desfecho, linhas } = await tarefas.executar(actor, qual, { signal, aoAvancar: progress });
        return { desfecho, linhas };
      });
    } catch (error) {
      // Invalid input stays invalid, so the job is not tried again.
      if (error instanceof EntradaInvalida) throw new UnrecoverableError(error.message);
      if (lastTry && !signal.aborted)
        // What failed may be the database itself: then the last try of the next round tells of it. The task's own failure is the job's.
        await tarefas.dizerQueFalhou(actor, { tarefa, provedorId, dia }).catch((err: unknown) => {
          logger.warn({ err, tarefa, provedorId, dia }, 'a equipe não soube que a tarefa falhou');
        });
      throw error;
    }
  };
}
