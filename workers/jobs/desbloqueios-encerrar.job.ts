import { atorDaTarefa } from '../../src/domain/actor.ts';
import type { EncerramentoService } from '../../src/domain/desbloqueios/encerramento.service.ts';
import { porProvedor } from '../../src/domain/por-provedor.ts';
import type { JobHandler } from './catalogue.ts';

const ACTOR = atorDaTarefa('desbloqueios.encerrar');

const MOST_BATCHES = 50;

/** Ends the trust unblocks that have expired. */
export function createDesbloqueiosEncerrarJob(encerramento: EncerramentoService): JobHandler<'desbloqueios.encerrar'> {
  return async (_payload, { signal }) => {
    await porProvedor(encerramento.provedores, async (id) => encerramento.encerrar(ACTOR, id), {
      lotes: MOST_BATCHES,
      signal,
    });
  };
}
