import { atorDaTarefa } from '../../src/domain/actor.ts';
import type { Procedencia } from '../../src/domain/actor.ts';

/** Who writes in tests. */
export const AUTOR = atorDaTarefa('testes');

/** A request that somebody acts in. */
export const vindoDe = (ip = '203.0.113.9'): Procedencia => ({ ip, requestId: 'requisicao-de-teste' });
