import { atorDaTarefa } from '../../src/domain/actor.ts';
import { emMudanca } from '../../src/domain/erros.ts';
import { porProvedor } from '../../src/domain/por-provedor.ts';
import type { AplicacaoService } from '../../src/domain/rede/aplicacao/aplicacao.service.ts';
import type { DesconexaoService } from '../../src/domain/rede/sessoes/desconexao.service.ts';
import type { JobHandler } from './catalogue.ts';

const ACTOR = atorDaTarefa('rede.aplicar');

/** The next run goes on with a backlog that is larger than this, so that no run takes longer than its lock. */
const MOST_BATCHES = 50;
/** A round that took longer than this has waited for a NAS that does not answer. */
const FAST_MS = 500;

/** Applies blocks and releases in RADIUS, in batches of each provider, and then ends the sessions concerned. */
export function createRedeAplicarJob(
  aplicacao: AplicacaoService,
  desconexao: DesconexaoService,
): JobHandler<'rede.aplicar'> {
  /** Ends sessions while the NASes answer quickly. After a slow answer, the next run goes on. */
  async function endSessions(provedorId: number, signal: AbortSignal): Promise<void> {
    let begun: number;
    let ended: number;
    do {
      begun = performance.now();
      ended = await desconexao.desconectar(ACTOR, provedorId);
    } while (ended > 0 && performance.now() - begun < FAST_MS && !signal.aborted);
  }

  return async (_payload, { signal }) => {
    await porProvedor(aplicacao.provedores, async (id) => aplicacao.aplicar(ACTOR, id), {
      lotes: MOST_BATCHES,
      signal,
    });
    if (signal.aborted) return;
    // All providers at the same time, so that a provider whose NAS is slow does not delay the others.
    const provedores = await desconexao.provedores();
    const outcomes = await Promise.allSettled(provedores.map(async (id) => endSessions(id, signal)));
    // Of who has begun to move meanwhile, what is left waits for the cell in which the provider will live.
    const failure = outcomes.find((outcome) => outcome.status === 'rejected' && !emMudanca(outcome.reason));
    if (failure?.status === 'rejected') throw failure.reason;
  };
}
