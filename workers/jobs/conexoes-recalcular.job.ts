import { UnrecoverableError } from 'bullmq';
import type { Agregacao } from '../../src/domain/conexoes/agregacao.ts';
import type { JobHandler } from './catalogue.ts';

/** Recomputes all connections of one provider. A run that was interrupted continues after its last contract. */
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
