import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { columns } from '../../platform/mysql/columns.ts';
import { PAGAMENTOS_PIX } from '../faturas/pagamentos/pagamentos.types.ts';
import type { PagamentoRow } from '../faturas/pagamentos/pagamentos.types.ts';
import type { SituacaoFatura } from '../faturas/faturas.types.ts';

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

export const COLUNAS_DO_ALVO = columns<Alvo>('faturas', { id: true, cliente_id: true, contrato_id: true });

export interface FaturaTravadaRow extends Alvo {
  readonly situacao: SituacaoFatura;
  readonly valor: string;
  readonly valor_pago: string;
  readonly abatido: string;
  readonly vencimento: string;
  readonly pago_em: string | null;
  /** Since when returns of before no longer make it `estornada`. */
  readonly reaberta_em: string | null;
}

export const COLUNAS_DA_TRAVADA = columns<FaturaTravadaRow>('faturas', {
  ...COLUNAS_DO_ALVO.of,
  situacao: true,
  valor: true,
  valor_pago: true,
  abatido: true,
  vencimento: true,
  pago_em: true,
  reaberta_em: true,
});

/** What an invoice is judged by: its payments, and what else lowers what is owed of it. */
export type PagamentoJulgado = Readonly<Omit<PagamentoRow, 'fatura_id'>>;

export interface RecebidoRow extends PagamentoJulgado {
  /** Null of what is not identified. */
  readonly fatura_id: number | null;
}

export const COLUNAS_DO_RECEBIDO = columns<RecebidoRow>('pix_recebidos', PAGAMENTOS_PIX.of);

/** What a judgement books beside an invoice's payments. */
export const LANCAMENTOS = ['desconto', 'excedente'] as const;
