import { atorDaTarefa } from '../../src/domain/actor.ts';

/** Who writes in tests. */
export const AUTOR = atorDaTarefa('testes');
