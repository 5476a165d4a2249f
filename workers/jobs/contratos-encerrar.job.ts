import { atorDaTarefa } from '../../src/domain/actor.ts';
import type { EncerramentoDeContratosService } from '../../src/domain/contratos/encerramento/encerramento.service.ts';
import { porProvedor } from '../../src/domain/por-provedor.ts';
import type { JobHandler } from './catalogue.ts';

const ACTOR = atorDaTarefa('contratos.encerrar');

const MOST_BATCHES = 200;

/** Ends cancelled contracts for good when their days are over. */
export function createContratosEncerrarJob(
  encerramento: EncerramentoDeContratosService,
): JobHandler<'contratos.encerrar'> {
  return async (_payload, { signal }) => {
    await porProvedor(encerramento.provedores, async (id) => encerramento.encerrar(ACTOR, id), {
      lotes: MOST_BATCHES,
      signal,
    });
  };
}
