import type { Data } from '../../brazil/calendario/datas.ts';
import { lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import type { BoletoSituacao } from '../boletos/boletos.types.ts';
import { columns } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';

export type SituacaoFatura = 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
export type TipoFatura = 'boleto' | 'pix' | 'carne' | 'carteira';

export interface FaturaRow {
  id: number;
  cliente_id: number;
  contrato_id: number | null;
  /** The account that it was issued by; null: the provider's first. */
  cobrador_id: number | null;
  descricao: string | null;
  situacao: SituacaoFatura;
  tipo: TipoFatura | null;
  valor: string;
  valor_pago: string;
  /** What discounts, credits and agreements in force take off what is owed; no money that came in. */
  abatido: string;
  vencimento: string;
  emitida_em: string;
  pago_em: string | null;
  token: string;
  pix_txid: string | null;
  pix_copia_cola: string | null;
  linha_digitavel: string | null;
  codigo_barras: string | null;
  nosso_numero: string | null;
  boleto_situacao: BoletoSituacao | null;
}

export const COLUNAS_DA_FATURA = columns<FaturaRow>('faturas', {
  id: true,
  cliente_id: true,
  contrato_id: true,
  cobrador_id: true,
  descricao: true,
  situacao: true,
  tipo: true,
  valor: true,
  valor_pago: true,
  abatido: true,
  vencimento: true,
  emitida_em: true,
  pago_em: true,
  token: true,
  pix_txid: true,
  pix_copia_cola: true,
  linha_digitavel: true,
  codigo_barras: true,
  nosso_numero: true,
  boleto_situacao: true,
});

/** What a stored invoice says of itself on any day. */
export interface FaturaGuardada {
  readonly id: number;
  readonly clienteId: number;
  readonly contratoId: number | null;
  readonly descricao: string | null;
  readonly tipo: TipoFatura | null;
  readonly valor: Centavos;
  /** What was received and not given back. */
  readonly valorPago: Centavos;
  /** What discounts, credits and agreements take off what is owed. */
  readonly abatido: Centavos;
  readonly vencimento: Data;
  readonly emitidaEm: Date;
  readonly pagoEm: Date | null;
  /** How far its boleto is at the bank; null: it is none that we register. */
  readonly boletoSituacao: BoletoSituacao | null;
}

/** What staff go by who change an invoice; see `versaoDe`. What the night stores is no part of it. */
export const camposDaFatura = ({
  vencimento,
  valor,
  valorPago,
  abatido,
}: Readonly<Record<'vencimento', string> & Record<'valor' | 'valorPago' | 'abatido', number>>) => ({
  vencimento,
  valor,
  valorPago,
  abatido,
});

export function lerFatura(row: FaturaRow): FaturaGuardada {
  return {
    id: row.id,
    clienteId: row.cliente_id,
    contratoId: row.contrato_id,
    descricao: row.descricao,
    tipo: row.tipo,
    valor: lerDinheiro(row.valor),
    valorPago: lerDinheiro(row.valor_pago),
    abatido: lerDinheiro(row.abatido),
    vencimento: row.vencimento as Data,
    emitidaEm: fromDatabaseTime(row.emitida_em),
    pagoEm: row.pago_em === null ? null : fromDatabaseTime(row.pago_em),
    boletoSituacao: row.boleto_situacao,
  };
}

/** What a subscriber needs to pay an open invoice; null where this invoice has no such way. */
export interface SegundaVia {
  readonly linkPagamento: string | null;
  readonly pdf: string | null;
  readonly paginaPix: string | null;
  readonly pix: PixDaFatura | null;
  readonly boleto: BoletoDaFatura | null;
  /** Why what is stored for the invoice is not given out, where something is wrong with it. */
  readonly retirado: { readonly boleto: MotivoDoBoleto | MotivoDoPapel | null; readonly pix: MotivoDoPix | null };
}

export interface PixDaFatura {
  readonly codigo: string;
  /** What the code asks for, which is what is owed; null where it carries no amount, and the payer's bank asks the PSP. */
  readonly valor: Centavos | null;
  /** The name that the code carries. */
  readonly recebedor: string;
}

export interface BoletoDaFatura {
  /** 47 or 48 digits. */
  readonly linhaDigitavel: string;
  /** 44 digits. */
  readonly codigoBarras: string;
  /** What the paper says of the bank besides the line; null where there is no paper. */
  readonly papel: { readonly agenciaCodigo: string | null; readonly carteira: string | null } | null;
}

/** In what a stored boleto is not the invoice's, or none at all. */
export type MotivoDoBoleto =
  'linha_ilegivel' | 'outras_barras' | 'outro_valor' | 'outro_vencimento' | 'outro_nosso_numero';

/** In what a boleto's paper would contradict its line, which can be paid all the same. */
export type MotivoDoPapel = 'outro_banco' | 'outra_agencia' | 'outra_carteira';

/** In what the code that a PSP made is not the invoice's, or none at all. */
export type MotivoDoPix = 'codigo_ilegivel' | 'codigo_estatico' | 'outro_txid' | 'outro_valor' | 'paga_em_parte';

/** An invoice on a day. */
export interface Fatura extends FaturaGuardada {
  /** As of the provider's today: an open invoice is `vencida` from the day after its due date. */
  readonly situacao: SituacaoFatura;
  /** What to pay today, where an invoice that is overdue, or has a discount, asks for another amount than `valor`; else null. */
  readonly valorAtualizado: Centavos | null;
  /** Fine and interest as of today; zero unless the invoice is open. */
  readonly multa: Centavos;
  readonly juros: Centavos;
  /** What is left to pay today; zero unless the invoice is open. */
  readonly aPagar: Centavos;
  /** Days since the business day of the due date; 0 until then, and unless the invoice is open. */
  readonly diasEmAtraso: number;
  /** Whether a part was paid and another is still owed. */
  readonly pagaEmParte: boolean;
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
  /** Its name in another system. */
  readonly codigoExterno?: string | undefined;
  readonly situacao?: FiltroSituacaoFatura | undefined;
  readonly vencimentoDe?: Data | undefined;
  readonly vencimentoAte?: Data | undefined;
  /** Those that changed since, by a write or by the date; see leituras.ts. */
  readonly atualizadoDesde?: Date | undefined;
}

/** What a subscriber asks for of his invoices; filters combine with AND. */
export interface FiltroDoAssinante {
  /** All registrations that he reaches. */
  readonly clienteIds: readonly number[];
  readonly contratoId?: number | undefined;
  readonly situacao?: FiltroSituacaoFatura | 'processando' | undefined;
}

/** After which invoice a chunk begins: the date or moment by which a task orders them, as MySQL writes it, and its id. */
export type LugarDaFatura = readonly [quando: string, id: number];
