import { UnrecoverableError } from 'bullmq';
import { atorDaTarefa } from '../../src/domain/actor.ts';
import { PedidosFalharam } from '../../src/domain/faturamento/pedidos/falhas.service.ts';
import { seDaqui } from '../../src/domain/por-provedor.ts';
import type { ExecucaoDoFaturamentoService } from '../../src/domain/faturamento/pedidos/execucao.service.ts';
import type { JobHandler } from './catalogue.ts';

/** What waits for as long or longer is not tried again by the same job: it is queued anew when its time has come. */
const OWN_TRIES_MS = 60_000;

/** Makes what people asked for of a provider's months. A run that was interrupted goes on after the last part that was written. */
export function createFaturamentoExecutarJob(
  execucao: Pick<ExecucaoDoFaturamentoService, 'executarPedidos'>,
): JobHandler<'faturamento.executar'> {
  const actor = atorDaTarefa('faturamento.executar');
  return async ({ provedorId }, { signal, progress }) => {
    if (!Number.isSafeInteger(provedorId) || provedorId < 1) throw new UnrecoverableError('provedorId must be an id');
    try {
      return await seDaqui(async () => execucao.executarPedidos(actor, provedorId, { signal, aoAvancar: progress }));
    } catch (error) {
      const waits = error instanceof PedidosFalharam && error.pausaMs >= OWN_TRIES_MS;
      throw waits ? new UnrecoverableError(error.message) : error;
    }
  };
}
