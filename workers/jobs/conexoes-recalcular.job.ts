import { UnrecoverableError } from 'bullmq';
import type { Agregacao } from '../../src/domain/conexoes/agregacao.ts';
import type { JobHandler } from './catalogue.ts';

/** Recomputes all connections of one provider; one that is cut short goes on after the last contract that it did. */
export function createConexoesRecalcularJob(agregacao: Agregacao): JobHandler<'conexoes.recalcular'> {
  return async ({ provedorId, depoisDe = 0 }, { signal, resumeWith }) => {
    if (!Number.isSafeInteger(provedorId) || provedorId < 1) throw new UnrecoverableError('provedorId must be an id');
    const { contratos, ultimo } = await agregacao.agregarTudo(provedorId, { depoisDe, signal });
    if (signal.aborted) {
      await resumeWith({ provedorId, depoisDe: ultimo });
      throw signal.reason;
    }
    return { contratos };
  };
}
