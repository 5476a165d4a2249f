import { toDatabaseTime } from '../platform/mysql/database.ts';
import type { PageReader, ListWalk } from '../platform/paging/pages.ts';

/**
 * A row carries the time at which it was written, and is seen from its commit on, by a clock that need not be the reader's. An
 * incremental reading begins so much earlier: longer than a write, a replica's lag and the difference of two clocks together
 * (see LONGEST_WRITE_MS in platform/mysql/writes.ts). It costs rows that are read twice.
 */
const FOLGA_MS = 5 * 60_000;

/** DATETIME ends here. */
const ULTIMO = Date.UTC(9999, 11, 31);

/** From when on a row counts as changed since an instant that a reader names. */
export function inicioDaLeitura(desde: Date): Date {
  return new Date(Math.min(Math.max(desde.getTime() - FOLGA_MS, 0), ULTIMO));
}

/** The same as MySQL compares it. */
export const inicioNoBanco = (desde: Date): string => toDatabaseTime(inicioDaLeitura(desde));

/** Gives the reader of a request, for lists of which the tags named tell when their number of rows may have changed; null where nobody reads on. */
export type LeitorDe = (tags: readonly string[]) => PageReader | null;

/**
 * Rows that operators write are told to the cache by the worker, and there may be none: who reads what changed sees them all the same,
 * this much later.
 */
const NOVIDADE_MS = 1000;

/** When an answer that says what changed is to be made anew, whatever the cache has heard. */
export const proximaNovidade = (agora: Date): Date => new Date(agora.getTime() + NOVIDADE_MS);

/** The reading of a list that no person narrows, by its filters; null where nobody reads on. */
export function leituraDe(lista: string, filtro: object, leitor: PageReader | null, dia = ''): ListWalk | null {
  return leitor === null ? null : { list: `${lista} ${JSON.stringify(filtro)}`, day: dia, reader: leitor };
}
