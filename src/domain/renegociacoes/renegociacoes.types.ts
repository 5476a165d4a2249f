import type { Data } from '../../brazil/calendario/datas.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { columns } from '../../platform/mysql/columns.ts';

/** `cumprida`: nothing of it is open any more. */
export type SituacaoRenegociacao = 'vigente' | 'cumprida' | 'quebrada';

export interface RenegociacaoRow {
  id: number;
  cliente_id: number;
  /** What the invoices owed that it took the place of, and what of that was forgiven. */
  devido: string;
  desconto: string;
  motivo: string | null;
  autor: string;
  criada_em: string;
  quebrada_em: string | null;
  quebrada_motivo: string | null;
}

export const COLUNAS_DA_RENEGOCIACAO = columns<RenegociacaoRow>('renegociacoes', {
  id: true,
  cliente_id: true,
  devido: true,
  desconto: true,
  motivo: true,
  autor: true,
  criada_em: true,
  quebrada_em: true,
  quebrada_motivo: true,
});

/** An invoice of an agreement: one that it took the place of, or an instalment, of which the down payment is number 0. */
export interface MembroRow {
  renegociacao_id: number;
  fatura_id: number;
  papel: 'origem' | 'parcela';
  numero: number | null;
}

export const COLUNAS_DO_MEMBRO = columns<MembroRow>('renegociacoes_faturas', {
  renegociacao_id: true,
  fatura_id: true,
  papel: true,
  numero: true,
});

/** An instalment that an agreement asks for. */
export interface Parcela {
  readonly numero: number;
  readonly vencimento: Data;
  readonly valor: Centavos;
}
