import { columns } from '../../../platform/mysql/columns.ts';

/** A discount, a credit, or what an agreement did to an invoice. */
export interface AjusteRow {
  id: number;
  fatura_id: number;
  tipo: 'desconto' | 'credito' | 'renegociacao';
  valor: string;
  dado_em: string;
  motivo: string | null;
  /** The invoice whose surplus a credit is; null of one that staff gave. */
  origem_fatura_id: number | null;
  renegociacao_id: number | null;
  autor: string;
  desfeito_em: string | null;
  desfeito_motivo: string | null;
}

export const COLUNAS_DO_AJUSTE = columns<AjusteRow>('faturas_ajustes', {
  id: true,
  fatura_id: true,
  tipo: true,
  valor: true,
  dado_em: true,
  motivo: true,
  origem_fatura_id: true,
  renegociacao_id: true,
  autor: true,
  desfeito_em: true,
  desfeito_motivo: true,
});
