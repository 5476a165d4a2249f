import type { Agregacao } from '../../src/domain/conexoes/agregacao.ts';
import type { JobHandler } from './catalogue.ts';

/** A backlog larger than this goes on with the next run. */
const MAIS_MUDANCAS = 1_000_000;

/** Aggregates what changed in `radacct`. */
export function createConexoesAgregarJob(agregacao: Agregacao): JobHandler<'conexoes.agregar'> {
  return async (_payload, { signal }) => {
    await agregacao.agregarMudancas(MAIS_MUDANCAS, signal);
  };
}
