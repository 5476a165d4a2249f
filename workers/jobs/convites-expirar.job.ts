import { atorDaTarefa } from '../../src/domain/actor.ts';
import type { ExpiracaoService } from '../../src/domain/convites/expiracao.service.ts';
import type { JobHandler } from './catalogue.ts';

const ATOR = atorDaTarefa('convites.expirar');

/** Marks the invites whose time is over. */
export function createConvitesExpirarJob(expiracao: ExpiracaoService): JobHandler<'convites.expirar'> {
  return async (_payload, { signal }) => ({ expirados: await expiracao.expirar(ATOR, signal) });
}
