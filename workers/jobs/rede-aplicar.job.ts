import { porProvedor } from '../../src/domain/por-provedor.ts';
import type { AplicacaoService } from '../../src/domain/rede/aplicacao.service.ts';
import type { DesconexaoService } from '../../src/domain/rede/desconexao.service.ts';
import type { JobHandler } from '../../src/platform/queues.ts';

/** A backlog larger than this goes on with the next run, so that one run never outlasts its lock. */
const MAXIMO_DE_LOTES = 50;

/** Carries out what decisions asked of the network, a batch of each provider at a time, then ends the sessions concerned. */
export function createRedeAplicarJob(
  aplicacao: AplicacaoService,
  desconexao: DesconexaoService,
): JobHandler<'rede.aplicar'> {
  return async (_payload, { signal }) => {
    await porProvedor(aplicacao.provedores, async (id) => aplicacao.aplicar(id), { lotes: MAXIMO_DE_LOTES, signal });
    // All at once: who waits for a NAS waits alone.
    const provedores = await desconexao.provedores();
    const feitas = await Promise.allSettled(provedores.map(async (id) => desconexao.desconectar(id)));
    const falha = feitas.find((feita) => feita.status === 'rejected');
    if (falha !== undefined) throw falha.reason;
  };
}
