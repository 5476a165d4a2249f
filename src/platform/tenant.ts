import type { Knex } from 'knex';
import type { Db } from './database.ts';

/** Tables of one tenant. What is read is narrowed to it and what is written belongs to it; neither can be forgotten. */
export interface TenantDb {
  readonly provedorId: number;
  /** The pool or transaction behind, for raw pieces of a statement. */
  readonly db: Db;
  /** The tenant's rows of a table (or of the alias in `table as alias`). */
  from(table: string): Knex.QueryBuilder;
  /** Writes rows of the tenant; resolves to the first new id. */
  insert(table: string, rows: object | readonly object[]): Promise<number>;
}

/** Closes a handle over a tenant: the only way that queries reach a tenant's table. */
export function createTenantDb(db: Db, provedorId: number): TenantDb {
  return {
    provedorId,
    db,
    from(table) {
      const alias = / as (\w+)$/.exec(table)?.[1] ?? table;
      return db(table).where(`${alias}.provedor_id`, provedorId);
    },
    async insert(table, rows) {
      const list = (Array.isArray(rows) ? rows : [rows]) as object[];
      const [firstId] = await db(table).insert(list.map((row) => ({ ...row, provedor_id: provedorId })));
      return Number(firstId);
    },
  };
}

/** Joins another table of the same tenant: the composite key's columns, tenant first. */
export function sameTenant(left: string, leftColumn: string, right: string, rightColumn: string) {
  return function on(this: Knex.JoinClause): void {
    this.on(`${right}.provedor_id`, `${left}.provedor_id`).andOn(`${right}.${rightColumn}`, `${left}.${leftColumn}`);
  };
}
