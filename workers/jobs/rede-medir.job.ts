import { atorDaTarefa } from '../../src/domain/actor.ts';
import type { Agregacao } from '../../src/domain/conexoes/agregacao.ts';
import { porProvedor } from '../../src/domain/por-provedor.ts';
import type { SilencioService } from '../../src/domain/rede/deteccao/silencio.service.ts';
import type { JobHandler } from './catalogue.ts';

const ACTOR = atorDaTarefa('rede.medir');

/** Measures how many are online at each server, and tells of servers of which nothing is heard. */
export function createRedeMedirJob(
  agregacao: Pick<Agregacao, 'medirOnline'>,
  silencio: SilencioService,
): JobHandler<'rede.medir'> {
  return async (_payload, { signal }) => {
    await agregacao.medirOnline();
    await porProvedor(
      async () => silencio.provedores(),
      async (id) => silencio.avisar(ACTOR, id),
      { lotes: 1, signal },
    );
  };
}
