import { UnrecoverableError } from 'bullmq';
import type { Agregacao } from '../../src/domain/conexoes/agregacao.ts';
import type { JobHandler } from '../../src/platform/queues/jobs.ts';

/** Recomputes all connections of one provider. */
export function createConexoesRecalcularJob(agregacao: Agregacao): JobHandler<'conexoes.recalcular'> {
  return async ({ provedorId }) => {
    if (!Number.isSafeInteger(provedorId) || provedorId < 1) throw new UnrecoverableError('provedorId must be an id');
    await agregacao.agregarTudo(provedorId);
  };
}
