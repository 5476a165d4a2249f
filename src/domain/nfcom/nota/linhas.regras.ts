import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../../platform/group-by.ts';
import type { ItemDaCobranca } from '../../faturamento/faturamento.types.ts';
import type { AdicionalDoPreco } from '../servicos/servicos.types.ts';
import { repartirPorPesos } from './reparticao.regras.ts';

/** A part of an invoice: the plan's service, or an additional item that the provider has a service for. */
export interface LinhaDaNota {
  /** Null: the plan's. */
  readonly de: AdicionalDoPreco | null;
  /** The id of the contract's item; null of the plan's. */
  readonly item: number | null;
  /** The item's own; null of the plan's. */
  readonly descricao: string | null;
  readonly valor: Centavos;
}

/**
 * The lines of an amount that was made of charges' items; they add up to it. The plan's is what is left of the additional items that have a
 * service of their own. Where the amount is another than that of its items, as of one that a credit was taken off or that somebody has
 * changed, all lines share it in proportion.
 *
 * @param adicionalDe of an item of a contract by its id: which kind it is, where that kind has services of its own
 */
export function linhasDe(
  valor: Centavos,
  itens: readonly ItemDaCobranca[],
  adicionalDe: (item: number) => AdicionalDoPreco | null,
): LinhaDaNota[] {
  const proprios = itens.flatMap(({ tipo, item, ...resto }) => {
    const de = tipo === 'adicional' && item !== undefined ? adicionalDe(item) : null;
    return de === null || item === undefined ? [] : [{ ...resto, item, de }];
  });
  const extras = [...groupBy(proprios, ({ item }) => item).values()].flatMap((deles) => {
    const soma = deles.reduce((total, um) => total + um.valor, 0);
    const maior = deles.toSorted((a, b) => b.valor - a.valor)[0];
    // What is given back of an item, and no more charged of it, is taken off the whole.
    return maior === undefined || soma <= 0
      ? []
      : [{ de: maior.de, item: maior.item, descricao: maior.descricao, soma }];
  });
  const doPlano = { de: null, item: null, descricao: null, soma: Math.max(0, somaDoPlano(itens, proprios)) };
  const linhas = extras.length === 0 ? [{ ...doPlano, soma: 1 }] : [doPlano, ...extras];
  const valores = repartirPorPesos(
    valor,
    linhas.map(({ soma }) => soma),
  );
  return linhas.flatMap(({ de, item, descricao }, n) => {
    const dela = valores[n] ?? 0;
    return dela === 0 ? [] : [{ de, item, descricao, valor: centavos(dela) }];
  });
}

/** A credit of months before is nobody's line. */
const somaDoPlano = (itens: readonly ItemDaCobranca[], proprios: readonly { readonly valor: number }[]): number =>
  itens.reduce((total, { tipo, valor }) => (tipo === 'saldo' ? total : total + valor), 0) -
  proprios.reduce((total, { valor }) => total + valor, 0);
