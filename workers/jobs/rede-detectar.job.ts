import { atorDaTarefa } from '../../src/domain/actor.ts';
import { createTentativas } from '../../src/domain/por-provedor.ts';
import type { DeteccaoService } from '../../src/domain/rede/deteccao/deteccao.service.ts';
import type { JobHandler } from './catalogue.ts';

/** Opens notices of outages, and closes those that are over, of which none waits for what cannot be opened. */
export function createRedeDetectarJob(deteccao: DeteccaoService): JobHandler<'rede.detectar'> {
  return async (_payload, { signal }) => {
    const actor = atorDaTarefa('rede.detectar');
    const tentativas = createTentativas();
    await tentativas.tentar('detectar', async () => deteccao.detectar(actor, signal), 0);
    await tentativas.tentar('vigiar', async () => deteccao.vigiar(actor, signal), 0);
    tentativas.terminar();
  };
}
