import type { Agregacao } from '../../src/domain/conexoes/agregacao.ts';
import type { JobHandler } from './catalogue.ts';

/** Measures how many are online at each server. */
export function createRedeMedirJob(agregacao: Pick<Agregacao, 'medirOnline'>): JobHandler<'rede.medir'> {
  return async () => {
    await agregacao.medirOnline();
  };
}
