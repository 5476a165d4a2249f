import { atorDaTarefa } from '../../src/domain/actor.ts';
import type { EncerramentoService } from '../../src/domain/desbloqueios/encerramento.service.ts';
import { porProvedor } from '../../src/domain/por-provedor.ts';
import type { JobHandler } from './catalogue.ts';

const ATOR = atorDaTarefa('desbloqueios.encerrar');

const MAXIMO_DE_LOTES = 50;

/** Ends the trust unblocks whose time is over. */
export function createDesbloqueiosEncerrarJob(encerramento: EncerramentoService): JobHandler<'desbloqueios.encerrar'> {
  return async (_payload, { signal }) => {
    await porProvedor(encerramento.provedores, async (id) => encerramento.encerrar(ATOR, id), {
      lotes: MAXIMO_DE_LOTES,
      signal,
    });
  };
}
