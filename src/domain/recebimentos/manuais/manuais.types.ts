import { columns } from '../../../platform/mysql/columns.ts';

/** How money came in that no bank tells us of. */
export const FORMAS_DE_PAGAMENTO = ['dinheiro', 'transferencia', 'cartao', 'outro'] as const;
type FormaDePagamento = (typeof FORMAS_DE_PAGAMENTO)[number];

/** A payment that a person registered. */
export interface ManualRow {
  id: number;
  fatura_id: number;
  forma: FormaDePagamento;
  valor: string;
  /** Of it, what people gave back. */
  devolvido: string;
  pago_em: string;
  observacao: string | null;
  chave: string | null;
  autor: string;
  criado_em: string;
  desfeito_em: string | null;
  desfeito_motivo: string | null;
}

export const COLUNAS_DO_MANUAL = columns<ManualRow>('recebimentos_manuais', {
  id: true,
  fatura_id: true,
  forma: true,
  valor: true,
  devolvido: true,
  pago_em: true,
  observacao: true,
  chave: true,
  autor: true,
  criado_em: true,
  desfeito_em: true,
  desfeito_motivo: true,
});
