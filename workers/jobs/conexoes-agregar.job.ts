import type { Agregacao } from '../../src/domain/conexoes/agregacao.ts';
import type { JobHandler } from '../../src/platform/queues/jobs.ts';

const POR_LOTE = 1000;
/** A backlog larger than this goes on with the next run, so that one run never outlasts its lock. */
const MAXIMO_DE_LOTES = 50;

/** Aggregates what changed in `radacct` until nothing is left. */
export function createConexoesAgregarJob(agregacao: Agregacao): JobHandler<'conexoes.agregar'> {
  return async (_payload, { signal }) => {
    for (let lote = 0; lote < MAXIMO_DE_LOTES && !signal.aborted; lote++) {
      const { mudancas } = await agregacao.agregarMudancas(POR_LOTE);
      if (mudancas < POR_LOTE) return;
    }
  };
}
