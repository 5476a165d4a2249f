import { atorDaTarefa } from '../../src/domain/actor.ts';
import { porProvedor } from '../../src/domain/por-provedor.ts';
import type { AvisosDeCertificadoService } from '../../src/domain/nfcom/certificado/avisos.service.ts';
import type { LembretesService } from '../../src/domain/push/lembretes/lembretes.service.ts';
import type { JobHandler } from './catalogue.ts';

const ACTOR = atorDaTarefa('push.lembrar');

/** Says what is about to happen: the end of a trust unblock, of a key or of a certificate, and a visit. */
export function createPushLembrarJob(
  lembretes: LembretesService,
  certificados: AvisosDeCertificadoService,
): JobHandler<'push.lembrar'> {
  return async (_payload, { signal }) => {
    await porProvedor(lembretes.provedores, async (id) => lembretes.lembrar(ACTOR, id), { lotes: 1, signal });
    await porProvedor(
      async () => certificados.provedores(),
      async (id) => certificados.avisar(ACTOR, id),
      { lotes: 1, signal },
    );
  };
}
