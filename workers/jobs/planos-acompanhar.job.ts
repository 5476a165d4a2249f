import { atorDaTarefa } from '../../src/domain/actor.ts';
import type { AcompanhamentoService } from '../../src/domain/planos/acompanhamento.service.ts';
import { porProvedor } from '../../src/domain/por-provedor.ts';
import type { JobHandler } from './catalogue.ts';

const ACTOR = atorDaTarefa('planos.acompanhar');

const MOST_BATCHES = 50;

/** Tells contracts of what changed in their plan. */
export function createPlanosAcompanharJob(acompanhamento: AcompanhamentoService): JobHandler<'planos.acompanhar'> {
  return async (_payload, { signal }) => {
    await porProvedor(acompanhamento.provedores, async (id) => acompanhamento.acompanhar(ACTOR, id), {
      lotes: MOST_BATCHES,
      signal,
    });
  };
}
