import type { Data } from '../../calendario/datas.ts';
import type { Centavos } from '../../dinheiro/dinheiro.ts';

/** A rate in ten-thousandths of a percent, an integer: 180000 is 18 %, 6500 is 0.65 %. */
export type Taxa = number;

/** The taxes of an item, as its tax group (grupo fiscal) says. */
export interface TributosDoItem {
  readonly icms: Icms;
  readonly pis: Contribuicao | null;
  readonly cofins: Contribuicao | null;
  /** Whether ICMS is taken out of the base of PIS and COFINS (STF, Tema 69). */
  readonly icmsForaDaBase: boolean;
  readonly fust: Taxa | null;
  readonly funttel: Taxa | null;
}

/**
 * - `fora`: outside ICMS (indSemCST), such as SVA, fines and rentals; then the item has no CFOP.
 * - `simples`: of who is in the Simples (ICMSSN).
 * - The others are the CSTs of the normal regime: 00 taxed, 20 reduced base, 40 exempt, 41 not taxed, 51 deferred, 90
 *   others, with or without ICMS.
 */
export type Icms =
  | { readonly cst: 'fora' }
  | { readonly cst: 'simples' }
  | { readonly cst: '00'; readonly aliquota: Taxa; readonly fcp: Taxa | null }
  | {
      readonly cst: '20';
      readonly aliquota: Taxa;
      /** How much of the base is taken off. */
      readonly reducao: Taxa;
      readonly fcp: Taxa | null;
      readonly beneficio: Beneficio | null;
    }
  | { readonly cst: '40' | '41' | '51'; readonly beneficio: Beneficio | null }
  | {
      readonly cst: '90';
      readonly aliquota: Taxa | null;
      readonly fcp: Taxa | null;
      readonly beneficio: Beneficio | null;
    };

/** A fiscal benefit: its code in the UF's table (cBenef), and the rate that there would be without it (vICMSDeson). */
export interface Beneficio {
  readonly codigo: string;
  readonly aliquotaCheia: Taxa;
}

/** PIS or COFINS: 01 and 02 are taxed, 06 to 09 are not, 49 is of who is in the Simples. */
export interface Contribuicao {
  readonly cst: '01' | '02' | '06' | '07' | '08' | '09' | '49';
  readonly aliquota: Taxa;
}

/** What a public body, or a company, must hold back of what it pays; rates over the item's value. */
export interface Retencoes {
  readonly pis: Taxa;
  readonly cofins: Taxa;
  readonly csll: Taxa;
  readonly irrf: Taxa;
}

/** An item's classification for IBS and CBS. */
export interface IbsCbsDoItem {
  /** Three digits. */
  readonly cst: string;
  /** Six digits. */
  readonly classe: string;
  /** Whether this CST has base and values; else the group only classifies. */
  readonly tributado: boolean;
}

/**
 * When and how IBS and CBS are shown. All of it are settings, because the authority moves dates and rates; the defaults
 * are `IBS_CBS_PADRAO`. `simples` is CRT 1 and 2, `normal` CRT 3.
 */
export interface RegrasIbsCbs {
  /** From which date the group is written. */
  readonly desde: { readonly simples: Data; readonly normal: Data };
  /** From which date the authority rejects a note without it (rule 310): an item without classification is refused. */
  readonly exigidoDesde: { readonly simples: Data; readonly normal: Data };
  /** From which date IBS and CBS are added to the total of the document (vTotDFe). */
  readonly somadoDesde: Data;
  /** In the order of `desde`; the last that has begun holds. */
  readonly aliquotas: readonly AliquotasIbsCbs[];
}

export interface AliquotasIbsCbs {
  readonly desde: Data;
  readonly ibsUf: Taxa;
  readonly ibsMunicipio: Taxa;
  readonly cbs: Taxa;
}

/** A tax as calculated: base, rate and rounded value. */
export interface Calculado {
  readonly base: Centavos;
  readonly aliquota: Taxa;
  readonly valor: Centavos;
}
