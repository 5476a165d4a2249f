import { exigido, opcional } from '../../campos/campos.ts';
import { codigoExterno, data, dinheiro, escolha, ouNulo, texto } from '../../campos/leitores.ts';
import { FORMAS_DE_PAGAMENTO } from './manuais.types.ts';

/** A payment as it is registered. `pago_em` is a day; what is missing is today. `chave`: the sender's own, so that twice is once. */
export const CAMPOS_DA_BAIXA = {
  forma: exigido(escolha(FORMAS_DE_PAGAMENTO)),
  valor: exigido(dinheiro()),
  pago_em: opcional(data),
  observacao: opcional(ouNulo(texto(1, 500))),
  chave: opcional(ouNulo(codigoExterno)),
} as const;

/** Why something that was done to an invoice is undone. */
export const CAMPOS_DO_MOTIVO = { motivo: exigido(texto(1, 500)) } as const;
