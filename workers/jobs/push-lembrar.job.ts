import { atorDaTarefa } from '../../src/domain/actor.ts';
import { porProvedor } from '../../src/domain/por-provedor.ts';
import type { LembretesService } from '../../src/domain/push/lembretes/lembretes.service.ts';
import type { JobHandler } from './catalogue.ts';

const ACTOR = atorDaTarefa('push.lembrar');

/** Says what is about to happen: the end of a trust unblock or of a key, and a visit. */
export function createPushLembrarJob(lembretes: LembretesService): JobHandler<'push.lembrar'> {
  return async (_payload, { signal }) => {
    await porProvedor(lembretes.provedores, async (id) => lembretes.lembrar(ACTOR, id), { lotes: 1, signal });
  };
}
