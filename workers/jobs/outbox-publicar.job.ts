import type { PublicacaoService } from '../../src/domain/eventos/publicacao.service.ts';
import type { JobHandler } from './catalogue.ts';

/** Publishes the outbox until nothing is left; what another publishes meanwhile is left to it. */
export function createOutboxPublicarJob(
  publicacao: Pick<PublicacaoService, 'publicar'>,
): JobHandler<'outbox.publicar'> {
  return async (_payload, { signal }) => {
    let publicados = 0;
    for (;;) {
      signal.throwIfAborted();
      const daVez = await publicacao.publicar();
      publicados += daVez;
      if (daVez === 0) return { publicados };
    }
  };
}
