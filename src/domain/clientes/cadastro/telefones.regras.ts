import type { TelefoneRow } from './cadastro.types.ts';

/** How a client's phones become those of a list, in its order. */
export interface TrocaDeTelefones {
  /** Ids of rows. */
  readonly saem: readonly number[];
  /** To be added after those that stay, in this order. */
  readonly entram: readonly string[];
}

/**
 * Phones are shown in the order of their ids. So a row stays, with its id, as long as the list has it in that order; from the first number
 * on that is new or was further down, all are written anew.
 *
 * @param tem rows by id.
 */
export function trocaDeTelefones(tem: readonly TelefoneRow[], lista: readonly string[]): TrocaDeTelefones {
  const ficam = new Set<number>();
  const entram: string[] = [];
  let ultimo = 0;
  for (const numero of lista) {
    const fica = entram.length === 0 ? tem.find((linha) => linha.numero === numero && linha.id > ultimo) : undefined;
    if (fica === undefined) {
      entram.push(numero);
    } else {
      ficam.add(fica.id);
      ultimo = fica.id;
    }
  }
  return { saem: tem.filter(({ id }) => !ficam.has(id)).map(({ id }) => id), entram };
}
