import type { Importacao, Mapa } from './importacoes.types.ts';

const MAIS_MODELOS = 5;

/** Which columns of a map say something. */
const mapeadas = ({ colunas }: Mapa): string[] => Object.keys(colunas).filter((coluna) => colunas[coluna] !== null);

/**
 * Earlier imports whose map can be a model for a file: of the same kind, tried at least once, and every column that they map is in the file.
 * Of several with the same map the first of `outras`; five at most.
 */
export function modelosPara({ id, tipo, leitura }: Importacao, outras: readonly Importacao[]): readonly Importacao[] {
  const vistos = new Set<string>();
  const cabem = outras.filter((outra) => {
    if (outra.id === id || outra.tipo !== tipo || outra.situacao === 'nova') return false;
    const colunas = mapeadas(outra.mapa);
    const mapa = JSON.stringify(outra.mapa);
    if (colunas.length === 0 || !colunas.every((coluna) => leitura.colunas.includes(coluna))) return false;
    if (vistos.has(mapa)) return false;
    vistos.add(mapa);
    return true;
  });
  return cabem.slice(0, MAIS_MODELOS);
}
