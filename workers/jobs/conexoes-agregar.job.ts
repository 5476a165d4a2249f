import type { Agregacao } from '../../src/domain/conexoes/agregacao.ts';
import type { SomaDeTrafego } from '../../src/domain/trafego/soma.ts';
import type { JobHandler } from './catalogue.ts';

/** The next run goes on with a backlog that is larger than this. */
const MOST_CHANGES = 1_000_000;

/** Aggregates what changed in `radacct`, and the bytes that it told of. */
export function createConexoesAgregarJob(agregacao: Agregacao, trafego: SomaDeTrafego): JobHandler<'conexoes.agregar'> {
  return async (_payload, { signal }) => {
    await agregacao.agregarMudancas(MOST_CHANGES, signal);
    await trafego.somar(signal);
  };
}
