import type { Knex } from 'knex';
import type { Db } from './database.ts';
import { DuplicateRow, isDuplicate } from '../refusal.ts';
import { updateEach } from './update-each.ts';
import type { UpdateEach } from './update-each.ts';

/**
 * A read that takes longer than this ends with its connection. Its caller is told sooner, see app/compose/platform.ts.
 */
export const READ_TIMEOUT_MS = 15_000;

/** The tables of one tenant, for reading. */
export interface TenantDb {
  readonly provedorId: number;
  /**
   * The tenant's rows of a table (or of the alias in `table as alias`). When indexes are named, one of them is forced.
   */
  from(table: string, indexes?: string | readonly string[]): Knex.QueryBuilder;
  /** The pool or transaction itself, for raw parts of a statement. */
  readonly db: Db;
}

/** Writes rows of one tenant inside a transaction. Created by writes.ts and outbox-consumer.ts only. */
export interface TenantWriter {
  readonly provedorId: number;
  /** Reads inside the transaction. */
  from(table: string): Knex.QueryBuilder;
  /**
   * Writes rows; resolves to the first new id.
   *
   * @throws DuplicateRow when a unique key exists already. With `soughtBefore` the whole write then runs again, because
   * its author looked for the row before and will find it this time. Without it, the duplicate is a conflict for the
   * caller.
   */
  insert(table: string, rows: object | readonly object[], how?: { readonly soughtBefore: true }): Promise<number>;
  /** Changes the rows that `where` selects; resolves to their number. @throws DuplicateRow, as `insert` does */
  update(table: string, where: (query: Knex.QueryBuilder) => void, changes: object): Promise<number>;
  /** Deletes the rows that `where` selects; resolves to their number. */
  delete(table: string, where: (query: Knex.QueryBuilder) => void): Promise<number>;
  /** Sets different values in many rows, found by their `id`; see update-each.ts. */
  updateEach(table: string, ...how: UpdateEach): Promise<number>;
}

/** Makes a handle that is bound to one tenant. Queries reach a tenant's tables only through it. */
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

/** @param onWrite told before each statement that writes */
export function createTenantWriter(trx: Db, provedorId: number, onWrite: () => void = () => {}): TenantWriter {
  const tenant = createTenantDb(trx, provedorId);
  return {
    provedorId,
    from: (table) => tenant.from(table),
    async insert(table, rows, how) {
      onWrite();
      const list = (Array.isArray(rows) ? rows : [rows]) as object[];
      const inserted = trx(table).insert(list.map((row) => ({ ...row, provedor_id: provedorId })));
      const [firstId] = await unlessDuplicate(inserted, table, how !== undefined);
      return Number(firstId);
    },
    async update(table, where, changes) {
      onWrite();
      return unlessDuplicate(tenant.from(table).modify(where).update(changes), table);
    },
    async delete(table, where) {
      onWrite();
      return tenant.from(table).modify(where).delete();
    },
    async updateEach(table, ...how) {
      onWrite();
      return updateEach(trx, table, provedorId, ...how);
    },
  };
}

async function unlessDuplicate<T>(written: PromiseLike<T>, table: string, soughtBefore = false): Promise<T> {
  try {
    return await written;
  } catch (error) {
    throw isDuplicate(error) ? new DuplicateRow(table, soughtBefore) : error;
  }
}

/**
 * The condition of a join with another table of the same tenant: both columns of the composite key, the tenant first.
 */
export function sameTenant(left: string, leftColumn: string, right: string, rightColumn: string) {
  return function on(this: Knex.JoinClause): void {
    this.on(`${right}.provedor_id`, `${left}.provedor_id`).andOn(`${right}.${rightColumn}`, `${left}.${leftColumn}`);
  };
}
