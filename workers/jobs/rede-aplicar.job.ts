import { atorDaTarefa } from '../../src/domain/actor.ts';
import { porProvedor } from '../../src/domain/por-provedor.ts';
import type { AplicacaoService } from '../../src/domain/rede/aplicacao.service.ts';
import type { DesconexaoService } from '../../src/domain/rede/desconexao.service.ts';
import type { JobHandler } from './catalogue.ts';

const ATOR = atorDaTarefa('rede.aplicar');

/** A backlog larger than this goes on with the next run, so that one run never outlasts its lock. */
const MAXIMO_DE_LOTES = 50;
/** A try that took longer than this has waited for a NAS. */
const RAPIDO_MS = 500;

/** Carries out what decisions asked of the network, a batch of each provider at a time, then ends the sessions concerned. */
export function createRedeAplicarJob(
  aplicacao: AplicacaoService,
  desconexao: DesconexaoService,
): JobHandler<'rede.aplicar'> {
  /** Goes on as long as the NASes answer at once; after one that does not, the next run does. */
  async function encerrarSessoes(provedorId: number, signal: AbortSignal): Promise<void> {
    let inicio: number;
    let encerradas: number;
    do {
      inicio = performance.now();
      encerradas = await desconexao.desconectar(ATOR, provedorId);
    } while (encerradas > 0 && performance.now() - inicio < RAPIDO_MS && !signal.aborted);
  }

  return async (_payload, { signal }) => {
    await porProvedor(aplicacao.provedores, async (id) => aplicacao.aplicar(ATOR, id), {
      lotes: MAXIMO_DE_LOTES,
      signal,
    });
    if (signal.aborted) return;
    // All at once: who waits for a NAS waits alone.
    const provedores = await desconexao.provedores();
    const feitas = await Promise.allSettled(provedores.map(async (id) => encerrarSessoes(id, signal)));
    const falha = feitas.find((feita) => feita.status === 'rejected');
    if (falha !== undefined) throw falha.reason;
  };
}
