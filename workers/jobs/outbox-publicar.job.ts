import type { PublicacaoService } from '../../src/domain/eventos/publicacao.service.ts';
import type { JobHandler } from '../../src/platform/queues/jobs.ts';

const POR_LOTE = 500;

/** Publishes the outbox until nothing is left; what another publishes meanwhile is left to it. */
export function createOutboxPublicarJob(
  publicacao: Pick<PublicacaoService, 'publicar'>,
): JobHandler<'outbox.publicar'> {
  return async (_payload, { signal }) => {
    let publicados = 0;
    for (;;) {
      signal.throwIfAborted();
      const lote = await publicacao.publicar(POR_LOTE);
      publicados += lote;
      if (lote < POR_LOTE) return { publicados };
    }
  };
}
