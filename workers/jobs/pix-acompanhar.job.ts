import { atorDaTarefa } from '../../src/domain/actor.ts';
import { porProvedor } from '../../src/domain/por-provedor.ts';
import type { AcompanhamentoDeCobrancasService } from '../../src/domain/psp/cobrancas/acompanhamento.service.ts';
import type { AvisosDoPspService } from '../../src/domain/psp/convenios/avisos.service.ts';
import type { JobHandler } from './catalogue.ts';

const ACTOR = atorDaTarefa('pix.acompanhar');

/** Makes the charges of invoices that changed be what they ask for, and says which certificates end soon. */
export function createPixAcompanharJob(
  cobrancas: AcompanhamentoDeCobrancasService,
  avisos: AvisosDoPspService,
): JobHandler<'pix.acompanhar'> {
  return async (_payload, { signal }) => {
    await porProvedor(
      async () => cobrancas.provedores(),
      async (id) => {
        await cobrancas.acompanhar(ACTOR, id, signal);
        return { mais: false };
      },
      { lotes: 1, signal },
    );
    await porProvedor(
      async () => avisos.provedores(),
      async (id) => avisos.avisar(ACTOR, id),
      { lotes: 1, signal },
    );
  };
}
