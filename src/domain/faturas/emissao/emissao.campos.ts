import { exigido, opcional } from '../../campos/campos.ts';
import { codigoExterno, data, dinheiro, escolha, id, ouNulo, texto } from '../../campos/leitores.ts';
import { MOTIVOS_DE_CANCELAMENTO } from './emissao.types.ts';

const doBoleto = {
  linha_digitavel: opcional(ouNulo(texto(1, 80))),
  nosso_numero: opcional(ouNulo(texto(1, 20))),
} as const;

/** A one-off invoice as it is typed. A missing `tipo` is `pix` where the provider receives PIX, else `carteira`: paid at the counter. */
export const CAMPOS_DA_FATURA = {
  cliente_id: exigido(id),
  contrato_id: opcional(ouNulo(id)),
  descricao: exigido(texto(1, 255)),
  valor: exigido(dinheiro()),
  vencimento: exigido(data),
  tipo: opcional(escolha(['pix', 'carteira', 'boleto'])),
  ...doBoleto,
  codigo_externo: opcional(ouNulo(codigoExterno)),
} as const;

/** What may change of an open invoice. */
export const CAMPOS_DA_ALTERACAO = {
  vencimento: exigido(data),
  descricao: exigido(texto(1, 255)),
  ...doBoleto,
  codigo_externo: opcional(ouNulo(codigoExterno)),
} as const;

export const CAMPOS_DO_CANCELAMENTO = {
  motivo: exigido(texto(1, 500)),
  motivo_codigo: opcional(escolha(MOTIVOS_DE_CANCELAMENTO.filter((motivo) => motivo !== 'renegociacao'))),
} as const;
