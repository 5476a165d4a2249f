import { centavos, type Centavos } from '../../dinheiro/dinheiro.ts';
import type { ItemCalculado } from './calculo.ts';

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
  /** Null when no item shows IBS and CBS. */
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

/**
 * Adds up. A value may come out negative, when deductions are more than the rest; then the note is refused.
 * `somaIbsCbs` is whether IBS and CBS are added to the document's total.
 */
export function somarItens(itens: readonly ItemCalculado[], somaIbsCbs: boolean): TotaisDaNota {
  const somar = (de: (item: ItemCalculado) => Centavos | undefined | null): Centavos => {
    let soma = 0;
    for (const item of itens) soma += (item.subtrai ? -1 : 1) * (de(item) ?? 0);
    return centavos(soma);
  };
  const produtos = somar(({ valor }) => valor);
  const retido = {
    pis: somar((um) => um.retido?.pis),
    cofins: somar((um) => um.retido?.cofins),
    csll: somar((um) => um.retido?.csll),
    irrf: somar((um) => um.retido?.irrf),
  };
  const nota = centavos(produtos - retido.pis - retido.cofins - retido.csll - retido.irrf);
  const ibs = somar((um) => um.ibsCbs?.ibs);
  const cbs = somar((um) => um.ibsCbs?.cbs.valor);
  return {
    produtos,
    desconto: somar((um) => um.item.desconto),
    acrescimo: somar((um) => um.item.acrescimo),
    baseDoIcms: somar((um) => um.icms?.base),
    icms: somar((um) => um.icms?.valor),
    icmsDesonerado: somar((um) => um.desonerado),
    fcp: somar((um) => um.fcp?.valor),
    pis: somar((um) => um.pis?.valor),
    cofins: somar((um) => um.cofins?.valor),
    fust: somar((um) => um.fust?.valor),
    funttel: somar((um) => um.funttel?.valor),
    retido,
    nota,
    ibsCbs: itens.some((um) => um.classificado)
      ? {
          base: somar((um) => um.ibsCbs?.cbs.base),
          ibsUf: somar((um) => um.ibsCbs?.ibsUf.valor),
          ibsMunicipio: somar((um) => um.ibsCbs?.ibsMunicipio.valor),
          ibs,
          cbs,
          documento: centavos(nota + (somaIbsCbs ? ibs + cbs : 0)),
        }
      : null,
  };
}

/** Whether any of the totals is negative, which no note may be. */
export function algumNegativo({ retido, ibsCbs, ...outros }: TotaisDaNota): boolean {
  return [...Object.values(outros), ...Object.values(retido), ...Object.values(ibsCbs ?? {})].some((um) => um < 0);
}
