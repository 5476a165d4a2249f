import type { Data } from '../../brazil/datas.ts';
import type { Centavos } from '../../brazil/dinheiro.ts';

export type SituacaoFatura = 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
export type TipoFatura = 'boleto' | 'pix' | 'carne' | 'carteira';

export interface FaturaRow {
  id: number;
  cliente_id: number;
  contrato_id: number | null;
  descricao: string | null;
  situacao: SituacaoFatura;
  tipo: TipoFatura | null;
  valor: string;
  valor_pago: string;
  vencimento: string;
  emitida_em: string;
  pago_em: string | null;
  token: string;
  pix_txid: string | null;
  pix_copia_cola: string | null;
  linha_digitavel: string | null;
  codigo_barras: string | null;
}

/** A payment received, of which some may have been given back. */
export interface PagamentoRow {
  fatura_id: number;
  valor: string;
  devolvido: string;
  /** Of `devolvido`, what was taken back by the MED. */
  tomado: string;
  pago_em: string;
}

/** A payment, and what its invoice was when it was read. */
export interface PagamentoComFaturaRow extends PagamentoRow {
  situacao: SituacaoFatura;
  valor_pago: string;
  fatura_pago_em: string | null;
}

/** What a subscriber needs to pay an open invoice; null where this invoice has no such way. */
export interface SegundaVia {
  readonly linkPagamento: string | null;
  readonly pdf: string | null;
  readonly paginaPix: string | null;
  readonly pixCopiaCola: string | null;
  readonly linhaDigitavel: string | null;
  readonly codigoBarras: string | null;
}

export interface Fatura {
  readonly id: number;
  readonly clienteId: number;
  readonly contratoId: number | null;
  readonly descricao: string | null;
  /** As of the provider's today: an open invoice is `vencida` from the day after its due date. */
  readonly situacao: SituacaoFatura;
  readonly tipo: TipoFatura | null;
  readonly valor: Centavos;
  /** What to pay today, where an overdue invoice asks for another amount than `valor`; else null. */
  readonly valorAtualizado: Centavos | null;
  /** What was received and not given back. */
  readonly valorPago: Centavos;
  /** Fine and interest as of today; zero unless the invoice is open. */
  readonly multa: Centavos;
  readonly juros: Centavos;
  /** What is left to pay today; zero unless the invoice is open. */
  readonly aPagar: Centavos;
  readonly vencimento: Data;
  readonly emitidaEm: Date;
  readonly pagoEm: Date | null;
  /** Null unless the invoice is open. */
  readonly segundaVia: SegundaVia | null;
}

/** `aberta` is pendente and vencida together. */
export const FILTROS_DE_SITUACAO = [
  'aberta',
  'pendente',
  'vencida',
  'paga',
  'cancelada',
  'estornada',
  'todas',
] as const;
export type FiltroSituacaoFatura = (typeof FILTROS_DE_SITUACAO)[number];

/** Open invoices whose answer is another by now though nobody wrote them. */
export type AbertasMudadas = 'nenhuma' | 'vencidas' | 'todas';

/** Filters combine with AND. */
export interface FiltroFaturas {
  readonly clienteId?: number | undefined;
  readonly contratoId?: number | undefined;
  readonly situacao?: FiltroSituacaoFatura | undefined;
  readonly vencimentoDe?: Data | undefined;
  readonly vencimentoAte?: Data | undefined;
  /** Those that changed since, by a write or by the date; see leituras.ts. */
  readonly atualizadoDesde?: Date | undefined;
}
