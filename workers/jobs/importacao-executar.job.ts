import { UnrecoverableError } from 'bullmq';
import { atorDaTarefa } from '../../src/domain/actor.ts';
import { EntradaInvalida } from '../../src/domain/erros.ts';
import { seDaqui } from '../../src/domain/por-provedor.ts';
import type { ExecucaoDeImportacoesService } from '../../src/domain/importacoes/execucao/execucao.service.ts';
import type { JobHandler } from './catalogue.ts';

/** Does what was asked for of a provider's imports. A run that was interrupted continues after the last lot that was written. */
export function createImportacaoExecutarJob(
  execucao: Pick<ExecucaoDeImportacoesService, 'executarPedidas'>,
): JobHandler<'importacao.executar'> {
  const actor = atorDaTarefa('importacao.executar');
  return async ({ provedorId }, { signal, progress }) => {
    if (!Number.isSafeInteger(provedorId) || provedorId < 1) throw new UnrecoverableError('provedorId must be an id');
    try {
      return await seDaqui(async () => {
        const opcoes = { signal, aoAvancar: progress };
        const { importacoes, linhas } = await execucao.executarPedidas(actor, provedorId, opcoes);
        return { importacoes, linhas };
      });
    } catch (error) {
      // Invalid input stays invalid, so the job is not tried again.
      throw error instanceof EntradaInvalida ? new UnrecoverableError(error.message) : error;
    }
  };
}
