import type { Knex } from 'knex';
import type { Db } from './database.ts';
import { DuplicateRow, isDuplicate } from '../refusal.ts';
import { updateEach } from './update-each.ts';
import type { UpdateEach } from './update-each.ts';

/** A connection that has not answered a read in this long is given up; whoever waits hears sooner (app/compose/platform.ts). */
export const READ_TIMEOUT_MS = 15_000;

/** Tables of one tenant, for reading. */
export interface TenantDb {
  readonly provedorId: number;
  /** The tenant's rows of a table (or of the alias in `table as alias`), read through one of the indexes named, if any are. */
  from(table: string, indexes?: string | readonly string[]): Knex.QueryBuilder;
  /** The pool or transaction behind, for raw pieces of a statement. */
  readonly db: Db;
}

/** Rows of one tenant, for writing inside a transaction; see writes.ts, which is who hands these out. */
export interface TenantWriter {
  readonly provedorId: number;
  /** Reads inside the transaction. */
  from(table: string): Knex.QueryBuilder;
  /**
   * Writes rows; resolves to the first new id.
   *
   * @throws DuplicateRow where a unique key has one already. The write is run anew then, if its author looked for the row before and will
   * find it now (`soughtBefore`); elsewhere it is a conflict, which its caller hears of.
   */
  insert(table: string, rows: object | readonly object[], how?: { readonly soughtBefore: true }): Promise<number>;
  /** Changes the rows that `where` narrows to; resolves to how many there are. @throws DuplicateRow, as `insert` does */
  update(table: string, where: (query: Knex.QueryBuilder) => void, changes: object): Promise<number>;
  /** Deletes the rows that `where` narrows to; resolves to how many there were. */
  delete(table: string, where: (query: Knex.QueryBuilder) => void): Promise<number>;
  /** Gives each of many rows, found by their `id`, values of its own; see update-each.ts. */
  updateEach(table: string, ...how: UpdateEach): Promise<number>;
}

/** Closes a handle over a tenant: the only way that queries reach a tenant's table. */
export function createTenantDb(db: Db, provedorId: number): TenantDb {
  return {
    provedorId,
    db,
    from(table, indexes) {
      const alias = / as (\w+)$/.exec(table)?.[1] ?? table;
      const source = indexes === undefined ? table : db.raw('?? FORCE INDEX (??)', [table, [indexes].flat()]);
      return db(source).where(`${alias}.provedor_id`, provedorId).timeout(READ_TIMEOUT_MS);
    },
  };
}

export function createTenantWriter(trx: Db, provedorId: number): TenantWriter {
  const tenant = createTenantDb(trx, provedorId);
  return {
    provedorId,
    from: (table) => tenant.from(table),
    async insert(table, rows, how) {
      const list = (Array.isArray(rows) ? rows : [rows]) as object[];
      const inserted = trx(table).insert(list.map((row) => ({ ...row, provedor_id: provedorId })));
      const [firstId] = await unlessDuplicate(inserted, table, how !== undefined);
      return Number(firstId);
    },
    async update(table, where, changes) {
      return unlessDuplicate(tenant.from(table).modify(where).update(changes), table);
    },
    async delete(table, where) {
      return tenant.from(table).modify(where).delete();
    },
    updateEach: async (table, ...how) => updateEach(trx, table, provedorId, ...how),
  };
}

async function unlessDuplicate<T>(written: PromiseLike<T>, table: string, soughtBefore = false): Promise<T> {
  try {
    return await written;
  } catch (error) {
    throw isDuplicate(error) ? new DuplicateRow(table, soughtBefore) : error;
  }
}

/** Joins another table of the same tenant: the composite key's columns, tenant first. */
export function sameTenant(left: string, leftColumn: string, right: string, rightColumn: string) {
  return function on(this: Knex.JoinClause): void {
    this.on(`${right}.provedor_id`, `${left}.provedor_id`).andOn(`${right}.${rightColumn}`, `${left}.${leftColumn}`);
  };
}
