import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns } from '../../../platform/mysql/columns.ts';

/** A boleto that a bank says was paid. */
export interface BoletoPago {
  /** Printable ASCII of up to 120 characters, the same at each telling: bank, agreement, nosso número, movement, day and amount. */
  readonly chave: string;
  /** Null where no invoice has its nosso número. */
  readonly faturaId: number | null;
  readonly cobradorId: number;
  readonly nossoNumero: string;
  /** What was paid; the bank's fee is not taken off it. More than nothing. */
  readonly valor: Centavos;
  readonly tarifa: Centavos;
  /** The day on which it was paid, as the bank has it. */
  readonly pagoEm: Data;
  readonly creditadoEm: Data | null;
  /** The file in which it came, and where in it. */
  readonly arquivoId: number | null;
  readonly linha: number;
}

/**
 * What became of the money of a boleto: with it the invoice is paid; something is missing; nothing was owed; no invoice is known for it; it
 * was told before.
 */
export type ResultadoDoBoleto = 'quitada' | 'parcial' | 'excedente' | 'nao_identificada' | 'repetida';

/** In the order of what was told. */
export interface BoletoTomado {
  readonly id: number;
  readonly resultado: ResultadoDoBoleto;
}

/** What became of a settlement that its bank undid; `repetida` where it had been undone before, `desconhecida` where it was never told. */
export interface BoletoDesfeito {
  readonly chave: string;
  readonly resultado: 'desfeita' | 'repetida' | 'desconhecida';
}

export interface BoletoRecebidoRow {
  id: number;
  fatura_id: number | null;
  chave: string;
  valor: string;
  devolvido: string;
  pago_em: string;
  vinculado_em: string | null;
  desfeito_em: string | null;
}

export const COLUNAS_DO_BOLETO = columns<BoletoRecebidoRow>('boletos_recebidos', {
  id: true,
  fatura_id: true,
  chave: true,
  valor: true,
  devolvido: true,
  pago_em: true,
  vinculado_em: true,
  desfeito_em: true,
});
