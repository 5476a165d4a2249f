import { atorDaTarefa } from '../../src/domain/actor.ts';
import { porProvedor } from '../../src/domain/por-provedor.ts';
import type { IdentificacaoService } from '../../src/domain/recebimentos/identificacao/identificacao.service.ts';
import type { JobHandler } from './catalogue.ts';

const ACTOR = atorDaTarefa('recebimentos.identificar');

const MOST_BATCHES = 50;

/** Links PIX payments that came before their invoice to the invoice that has their txid by now. */
export function createRecebimentosIdentificarJob(
  identificacao: IdentificacaoService,
): JobHandler<'recebimentos.identificar'> {
  return async (_payload, { signal }) => {
    await porProvedor(identificacao.provedores, async (id) => identificacao.identificar(ACTOR, id), {
      lotes: MOST_BATCHES,
      signal,
    });
  };
}
