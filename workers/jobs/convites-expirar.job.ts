import type { ExpiracaoService } from '../../src/domain/convites/expiracao.service.ts';
import type { JobHandler } from './catalogue.ts';

/** Marks the invites whose time is over. */
export function createConvitesExpirarJob(expiracao: ExpiracaoService): JobHandler<'convites.expirar'> {
  return async (_payload, { signal }) => ({ expirados: await expiracao.expirar(signal) });
}
