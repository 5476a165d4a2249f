import { exigido, opcional } from '../../campos/campos.ts';
import { codigoExterno, dinheiro, escolha, ouNulo, simOuNao, texto } from '../../campos/leitores.ts';
import { FORMAS_DE_DEVOLUCAO } from './devolucoes.types.ts';

/**
 * A return as it is asked for. `forma`: how somebody has given it back already; without one, the PSP is asked. `ciente`: that money is given
 * back which had paid something. `chave`: the sender's own, so that twice is once.
 */
export const CAMPOS_DA_DEVOLUCAO = {
  valor: exigido(dinheiro()),
  motivo: exigido(texto(1, 500)),
  forma: opcional(ouNulo(escolha(FORMAS_DE_DEVOLUCAO))),
  ciente: opcional(simOuNao),
  chave: opcional(ouNulo(codigoExterno)),
} as const;
