import type { Agregacao } from '../../src/domain/conexoes/agregacao.ts';
import type { JobHandler } from './catalogue.ts';

const POR_LOTE = 1000;
const MAXIMO_DE_LOTES = 50;

/** Counts the drops of sessions that nobody closed and nobody hears of any more. */
export function createConexoesParadasJob(agregacao: Agregacao): JobHandler<'conexoes.paradas'> {
  return async (_payload, { signal }) => {
    for (let lote = 0; lote < MAXIMO_DE_LOTES && !signal.aborted; lote++) {
      const { contratos } = await agregacao.agregarParadas(POR_LOTE, signal);
      if (contratos < POR_LOTE) return;
    }
  };
}
