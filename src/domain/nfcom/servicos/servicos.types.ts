import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { IbsCbsDoItem, TributosDoItem } from '../../../brazil/nfcom/base/tributos.types.ts';

/** Taxes that services have in common (grupo fiscal). */
export interface GrupoFiscal {
  readonly id: number;
  readonly nome: string;
  readonly tributos: TributosDoItem;
  readonly ibsCbs: IbsCbsDoItem | null;
  readonly versao: string;
}

/** What a provider sells, as a note's item says it. */
export interface ServicoNfcom {
  readonly id: number;
  /** The provider's own code (cProd). */
  readonly codigo: string;
  readonly descricao: string;
  /** cClass, seven digits. */
  readonly classe: string;
  /** Null of an item outside ICMS. */
  readonly cfop: string | null;
  /** 1 minuto, 2 MB, 3 GB, 4 unidade. */
  readonly unidade: 1 | 2 | 3 | 4;
  readonly grupoId: number;
  readonly versao: string;
}

/** A part of a price: so much percent of it, a fixed amount, or, where both are null, what is left. */
export interface ParteDoPreco {
  readonly servicoId: number;
  /** Instead of the service's. */
  readonly descricao: string | null;
  /** In ten-thousandths of a percent: 700000 is 70 %. */
  readonly percentual: number | null;
  readonly valor: Centavos | null;
}

/** Kinds of additional items that may be split apart from the plan: what is charged once, and what recurs. */
export const ADICIONAIS_DO_PRECO = ['unico', 'recorrente'] as const;
export type AdicionalDoPreco = (typeof ADICIONAIS_DO_PRECO)[number];

/** Whose price is split: a contract's, else its plan's, else the provider's; or that of additional items of a kind. */
export type DonoDoPreco =
  | { readonly de: 'provedor' | AdicionalDoPreco }
  | { readonly de: 'plano'; readonly id: number }
  | { readonly de: 'contrato'; readonly id: number };

/** What a client's registration does not say, and its notes need. */
export interface ClienteFiscal {
  readonly indicadorIe: 1 | 2 | 9;
  readonly inscricaoEstadual: string | null;
  readonly inscricaoMunicipal: string | null;
  /** Null: residencial of a person, comercial of a company. */
  readonly tipoDeAssinante: number | null;
  /** Instead of what city and UF of the address say. */
  readonly municipioCodigo: string | null;
  /** Rates held back, in ten-thousandths of a percent; null: none. */
  readonly retencoes: {
    readonly pis: number;
    readonly cofins: number;
    readonly csll: number;
    readonly irrf: number;
  } | null;
}
