import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { ItemLido } from '../../../brazil/nfcom/itens/itens.leitura.ts';
import { faltaEm } from '../../erros.ts';
import type { ItemAjustado } from './emissao.types.ts';

/** What an adjustment gives back of a note. */
interface Ajustada {
  readonly nota: { readonly valor: string };
  /** The items of its document; empty where it is not known. */
  readonly documento: readonly ItemLido[];
  /** What adjustments before give back of it. */
  readonly antes: readonly ItemAjustado[];
}

const soma = (itens: readonly ItemAjustado[]): number => itens.reduce((total, { valor }) => total + valor, 0);

/**
 * What the items of an adjustment come to, in centavos. Items are what the services cost, before what the client retains of taxes; so is what
 * may be given back of them.
 *
 * @throws CamposInvalidos where an item is not in the note, or where more than an item, or than the note, is given back by all adjustments
 * together
 */
export function totalDoAjuste(itens: readonly ItemAjustado[], { nota, documento, antes }: Ajustada): number {
  const todos = [...antes, ...itens];
  for (const { item } of documento.length === 0 ? [] : itens) {
    const era = documento.find((um) => um.item === item);
    if (era === undefined) faltaEm('itens', `a nota não tem o item ${item}`);
    const devolvido = soma(todos.filter((um) => um.item === item));
    if (devolvido > era.valor) faltaEm('itens', `o ajuste, com os de antes, passa do valor do item ${item}`);
  }
  // Of a note without a document its own amount is all that is known.
  if (documento.length === 0 && soma(todos) > lerDinheiro(nota.valor)) {
    faltaEm('itens', 'o ajuste, com os de antes, passa do valor da nota');
  }
  return soma(itens);
}
