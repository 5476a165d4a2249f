import { UnrecoverableError } from 'bullmq';
import { atorDaTarefa } from '../../src/domain/actor.ts';
import { PedidosFalharam } from '../../src/domain/faturamento/pedidos/falhas.service.ts';
import { seDaqui } from '../../src/domain/por-provedor.ts';
import type { ExecucaoDoFaturamentoService } from '../../src/domain/faturamento/pedidos/execucao.service.ts';
import type { JobHandler } from './catalogue.ts';

/**
 * Makes what people asked for of a provider's months. A run that was interrupted goes on after the last part that was written. Orders that
 * fail have waits of their own, after which the plan queues them: a job that waited for its next try would hold up what is asked for
 * meanwhile.
 */
export function createFaturamentoExecutarJob(
  execucao: Pick<ExecucaoDoFaturamentoService, 'executarPedidos'>,
): JobHandler<'faturamento.executar'> {
  const actor = atorDaTarefa('faturamento.executar');
  return async ({ provedorId }, { signal, progress }) => {
    if (!Number.isSafeInteger(provedorId) || provedorId < 1) throw new UnrecoverableError('provedorId must be an id');
    try {
      return await seDaqui(async () => execucao.executarPedidos(actor, provedorId, { signal, aoAvancar: progress }));
    } catch (error) {
      throw error instanceof PedidosFalharam ? new UnrecoverableError(error.message) : error;
    }
  };
}
