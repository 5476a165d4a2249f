import type { Centavos } from '../dinheiro/dinheiro.ts';

/** The totals of a note: exact sums of the rounded items, deductions and devolutions taken off. */
export interface TotaisDaNota {
  readonly produtos: Centavos;
  readonly desconto: Centavos;
  readonly acrescimo: Centavos;
  readonly baseDoIcms: Centavos;
  readonly icms: Centavos;
  readonly icmsDesonerado: Centavos;
  readonly fcp: Centavos;
  readonly pis: Centavos;
  readonly cofins: Centavos;
  readonly fust: Centavos;
  readonly funttel: Centavos;
  readonly retido: {
    readonly pis: Centavos;
    readonly cofins: Centavos;
    readonly csll: Centavos;
    readonly irrf: Centavos;
  };
  /** vNF: products less what is held back. */
  readonly nota: Centavos;
  /** Null when no item has IBS and CBS. */
  readonly ibsCbs: {
    readonly base: Centavos;
    readonly ibsUf: Centavos;
    readonly ibsMunicipio: Centavos;
    readonly ibs: Centavos;
    readonly cbs: Centavos;
    /** vTotDFe. */
    readonly documento: Centavos;
  } | null;
}
