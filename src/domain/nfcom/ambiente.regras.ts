import { recusarSeNao } from '../erros.ts';
import type { AmbienteNfcom } from './nfcom.types.ts';

/** In the middle of a sentence. */
export const AMBIENTES_DITOS = { producao: 'produção', homologacao: 'homologação' } as const;

/**
 * Of notes that something is done with together, in the environment in which they were shown.
 *
 * @throws Recusa of that code
 */
export function exigirAmbiente(
  delas: AmbienteNfcom,
  deAgora: AmbienteNfcom,
  codigo: 'nfcom_nao_autorizada' | 'transicao_invalida',
): void {
  recusarSeNao(delas === deAgora, codigo, {
    dito: `as notas são de ${AMBIENTES_DITOS[delas]}, e o provedor passou a emitir em ${AMBIENTES_DITOS[deAgora]}`,
  });
}
