import type { PublicacaoService } from '../../src/domain/eventos/publicacao.service.ts';
import type { JobHandler } from './catalogue.ts';

/** Publishes the outbox until nothing is left that no other process is publishing. */
export function createOutboxPublicarJob(
  publicacao: Pick<PublicacaoService, 'publicar'>,
): JobHandler<'outbox.publicar'> {
  return async (_payload, { signal }) => {
    let total = 0;
    for (;;) {
      signal.throwIfAborted();
      const published = await publicacao.publicar();
      total += published;
      if (published === 0) return { publicados: total };
    }
  };
}
