import { atorDaTarefa } from '../../src/domain/actor.ts';
import { porProvedor } from '../../src/domain/por-provedor.ts';
import type { IdentificacaoService } from '../../src/domain/recebimentos/identificacao/identificacao.service.ts';
import type { JobHandler } from './catalogue.ts';

const ATOR = atorDaTarefa('recebimentos.identificar');

const MAXIMO_DE_LOTES = 50;

/** Puts PIX that came without an invoice to the invoices that have their txid by now. */
export function createRecebimentosIdentificarJob(
  identificacao: IdentificacaoService,
): JobHandler<'recebimentos.identificar'> {
  return async (_payload, { signal }) => {
    await porProvedor(identificacao.provedores, async (id) => identificacao.identificar(ATOR, id), {
      lotes: MAXIMO_DE_LOTES,
      signal,
    });
  };
}
