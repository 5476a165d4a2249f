import type { Data } from '../../brazil/calendario/datas.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import type { SituacaoContrato, TipoCobranca } from '../contratos/contratos.types.ts';

/** How a provider has its months billed. */
export interface RegrasDoFaturamento {
  /** First day of the first month that is billed; null: nothing is billed by itself. */
  readonly desde: Data | null;
  /** Days between the making of a charge and its due day. */
  readonly antecedencia: number;
  /** One invoice of all contracts of a client that are due on the same day. */
  readonly faturaUnica: boolean;
  /** Whether days on which a contract is blocked are billed. */
  readonly cobrarBloqueado: boolean;
}

export const REGRAS_PADRAO: RegrasDoFaturamento = {
  desde: null,
  antecedencia: 10,
  faturaUnica: false,
  cobrarBloqueado: false,
};

/** A change of a contract, as its history has it; null is what it does not say. */
export interface Mudanca {
  /** The provider's local day. */
  readonly dia: Data;
  readonly acao: string;
  readonly situacaoDe: SituacaoContrato | null;
  readonly valorDe: Centavos | null;
}

export type OrigemDaVez = 'diario' | 'pedido' | 'carne';

/** A run that was made. */
export interface VezFeita {
  readonly id: number;
  readonly dia: Data;
  readonly origem: OrigemDaVez;
  /** Of a booklet whose charges are still there; null of all others. */
  readonly contratoId: number | null;
  readonly cobrancas: number;
  readonly faturas: number;
  readonly total: Centavos;
  readonly autor: string | null;
  readonly iniciadoEm: Date;
  /** Whether its invoices are being cancelled part by part; `desfeitoEm` is set from then on. */
  readonly desfazendo: boolean;
  readonly desfeitoEm: Date | null;
  readonly desfeitoPor: string | null;
}

/** Why an order that is not done has not gone on. */
export interface FalhaDoPedido {
  /** How often in a row. */
  readonly vezes: number;
  /** The last time. */
  readonly em: Date;
  readonly erro: string;
  /** It is not tried again before this. */
  readonly proximaEm: Date;
}

export const TIPOS_DE_ITEM = ['unico', 'recorrente', 'desconto', 'desconto_percentual'] as const;
export type TipoDeItem = (typeof TIPOS_DE_ITEM)[number];

/** What a contract has beside its price, from month to month (both first days). */
export interface ItemDoContrato {
  readonly id: number;
  readonly tipo: TipoDeItem;
  readonly descricao: string;
  /** Centavos; of a percentage, hundredths of a percent. */
  readonly valor: number;
  readonly de: Data;
  readonly ate: Data | null;
}

/** What became of what a contract that is over had left to its client. */
export const COMO_SE_ACERTA = ['devolvido', 'descontado'] as const;
export type ComoSeAcerta = (typeof COMO_SE_ACERTA)[number];

/** A part of a charge; `acertado`: of one below nothing, what was settled outside of billing. */
export interface ItemDaCobranca {
  readonly tipo: 'mensalidade' | 'desconto' | 'acerto' | 'adicional' | 'saldo' | 'acertado';
  /** The month that it is of: its first day. */
  readonly ref: Data;
  /** Centavos; below nothing where it is taken off. */
  readonly valor: number;
  readonly descricao: string;
  /** The contract's item that it comes from. */
  readonly item?: number;
}

export type TipoDeCobranca = 'mensalidade' | 'carne';

/** A charge that was made before. */
export interface CobrancaFeita {
  readonly competencia: Data;
  readonly tipo: TipoDeCobranca;
  readonly valor: Centavos;
  readonly isenta: boolean;
  /** Whether blocked days were billed when it was made. */
  readonly bloqueado: boolean;
  /** Whether people cancelled its invoice: then its month is nobody's to correct. */
  readonly cancelada: boolean;
  readonly itens: readonly ItemDaCobranca[];
}

/** A contract with all that its charge is made of. */
export interface ContratoAFaturar {
  readonly id: number;
  readonly clienteId: number;
  readonly cobradorId: number | null;
  readonly situacao: SituacaoContrato;
  readonly tipoCobranca: TipoCobranca;
  readonly diaVencimento: number;
  readonly valor: Centavos;
  readonly plano: string;
  readonly ativadoEm: Data | null;
  /** The local day on which it came to be here. */
  readonly criadoEm: Data;
  /** Newest last. */
  readonly mudancas: readonly Mudanca[];
  readonly itens: readonly ItemDoContrato[];
  readonly feitas: readonly CobrancaFeita[];
}

/** The charge of a contract for a month. */
export interface Cobranca {
  readonly contratoId: number;
  readonly competencia: Data;
  readonly vencimento: Data;
  readonly isenta: boolean;
  /** Days of the month on which there was service. */
  readonly dias: number;
  /** Below nothing: is taken off a later one. */
  readonly valor: Centavos;
  readonly itens: readonly ItemDaCobranca[];
}
