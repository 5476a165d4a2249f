import type { Knex } from 'knex';

/** Rows as one binding, which mysql2 writes as `(…), (…)`; knex's types know of no such thing. */
export function valueLists(rows: readonly (readonly (number | string | null)[])[]): Knex.RawBinding {
  // Rows are a binding to mysql2, but not to the types of knex.
  return rows as unknown as Knex.RawBinding;
}
