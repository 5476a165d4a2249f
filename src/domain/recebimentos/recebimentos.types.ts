import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import type { PagamentoRow, SituacaoFatura } from '../faturas/faturas.types.ts';

/** A PIX that the PSP says was received (Banco Central, API Pix, schema `Pix`), without who paid it. */
export interface PixRecebido {
  readonly endToEndId: string;
  /** Null where the payer's bank sent none, or one that no invoice can have. */
  readonly txid: string | null;
  readonly valor: Centavos;
  readonly horario: Date;
  /** Of it, what has been given back. */
  readonly devolucoes: readonly Devolucao[];
}

export interface Devolucao {
  readonly id: string;
  readonly valor: Centavos;
  /** Why (API Pix, `DevolucaoNatureza`); null where it was not said, which is `ORIGINAL`. */
  readonly natureza: string | null;
}

/** A PIX that cannot be used: what it calls itself, if that can be read, what is wrong with it, naming the field, and what was told. */
export interface PixRecusado {
  readonly endToEndId: string | null;
  readonly falta: string;
  /** The fields that we know, cut short, and none of the payer's. */
  readonly dito: object;
}

/**
 * What became of a PIX.
 *
 * - `quitada`: with it the invoice is paid; `parcial`: something is still missing; `excedente`: nothing was owed, and it is kept in
 *   sight; `estornada`: all that had been paid was given back; `devolvida`: some of it was, or the MED took it back.
 * - `nao_identificada`: it is kept, and for no invoice that is known; `repetida`: all of it was known.
 */
export type ResultadoDoPix =
  'quitada' | 'parcial' | 'excedente' | 'estornada' | 'devolvida' | 'repetida' | 'nao_identificada';

/** An invoice, by whom it is of. */
export interface Alvo {
  readonly id: number;
  readonly cliente_id: number;
  readonly contrato_id: number | null;
}

export interface FaturaTravadaRow extends Alvo {
  readonly situacao: SituacaoFatura;
  readonly valor: string;
  readonly valor_pago: string;
  readonly vencimento: string;
  readonly pago_em: string | null;
  /** Since when returns of before no longer make it `estornada`. */
  readonly reaberta_em: string | null;
}

/** Columns of {@link FaturaTravadaRow}. */
export const COLUNAS_DA_FATURA = [
  'id',
  'cliente_id',
  'contrato_id',
  'situacao',
  'valor',
  'valor_pago',
  'vencimento',
  'pago_em',
  'reaberta_em',
] as const;

/** A PIX of an invoice, as it is judged. */
export interface PagamentoJulgado extends Pick<PagamentoRow, 'valor' | 'devolvido' | 'tomado' | 'pago_em'> {
  readonly id: number;
  readonly end_to_end_id: string;
  readonly txid: string | null;
  /** Null where the txid led to the invoice, and not a person. */
  readonly vinculado_em: string | null;
}

/** Columns of {@link PagamentoJulgado}. */
export const COLUNAS_DO_PAGAMENTO = [
  'id',
  'end_to_end_id',
  'txid',
  'valor',
  'devolvido',
  'tomado',
  'pago_em',
  'vinculado_em',
] as const;

export interface RecebidoRow extends PagamentoJulgado {
  /** Null of what is not identified. */
  readonly fatura_id: number | null;
}

/** What a judgement books beside an invoice's payments. */
export const LANCAMENTOS = ['desconto', 'excedente'] as const;
