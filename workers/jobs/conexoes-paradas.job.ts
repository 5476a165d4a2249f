import type { Agregacao } from '../../src/domain/conexoes/agregacao.ts';
import type { JobHandler } from './catalogue.ts';

const BATCH_SIZE = 1000;
const MOST_BATCHES = 50;

/** Counts the drops of sessions that were not closed and have stopped reporting. */
export function createConexoesParadasJob(agregacao: Agregacao): JobHandler<'conexoes.paradas'> {
  return async (_payload, { signal }) => {
    for (let batch = 0; batch < MOST_BATCHES && !signal.aborted; batch++) {
      const { contratos } = await agregacao.agregarParadas(BATCH_SIZE, signal);
      if (contratos < BATCH_SIZE) return;
    }
  };
}
