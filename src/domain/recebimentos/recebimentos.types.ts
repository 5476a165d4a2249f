import type { Centavos } from '../../brazil/dinheiro.ts';

/** A PIX that the PSP says was received (Banco Central, API Pix, schema `Pix`), without who paid it. */
export interface PixRecebido {
  readonly endToEndId: string;
  /** Null where the payer's bank sent none. */
  readonly txid: string | null;
  readonly valor: Centavos;
  readonly horario: Date;
  /** Of it, what has been given back. */
  readonly devolucoes: readonly Devolucao[];
}

export interface Devolucao {
  readonly id: string;
  readonly valor: Centavos;
}

/**
 * What became of a PIX.
 *
 * - `quitada`: with it the invoice is paid; `parcial`: something is still missing; `excedente`: nothing was owed, and it is kept in
 *   sight; `estornada`: all that had been paid was given back; `devolvida`: some of it was.
 * - `repetida`: all of it was known; `ignorada`: it is for no invoice of this provider.
 */
export type ResultadoDoPix = 'quitada' | 'parcial' | 'excedente' | 'estornada' | 'devolvida' | 'repetida' | 'ignorada';

export interface FaturaTravadaRow {
  id: number;
  cliente_id: number;
  contrato_id: number | null;
  situacao: 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
  valor: string;
  valor_pago: string;
  vencimento: string;
  pago_em: string | null;
}

export interface RecebidoRow {
  id: number;
  fatura_id: number;
  valor: string;
  devolvido: string;
}
