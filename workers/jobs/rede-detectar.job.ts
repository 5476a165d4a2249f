import { atorDaTarefa } from '../../src/domain/actor.ts';
import type { DeteccaoService } from '../../src/domain/rede/deteccao/deteccao.service.ts';
import type { JobHandler } from './catalogue.ts';

/** Opens notices of outages, and closes those that are over. */
export function createRedeDetectarJob(deteccao: DeteccaoService): JobHandler<'rede.detectar'> {
  return async (_payload, { signal }) => {
    const actor = atorDaTarefa('rede.detectar');
    await deteccao.detectar(actor, signal);
    await deteccao.vigiar(actor, signal);
  };
}
