import { atorDaTarefa } from '../../src/domain/actor.ts';
import type { ExpiracaoService } from '../../src/domain/convites/expiracao.service.ts';
import type { JobHandler } from './catalogue.ts';

const ACTOR = atorDaTarefa('convites.expirar');

/** Marks the invites that have expired. */
export function createConvitesExpirarJob(expiracao: ExpiracaoService): JobHandler<'convites.expirar'> {
  return async (_payload, { signal }) => ({ expirados: await expiracao.expirar(ACTOR, signal) });
}
