import type { Knex } from 'knex';
import type { TenantDb } from './tenant.ts';

export interface PageRequest {
  /** From 1. */
  readonly pagina: number;
  readonly porPagina: number;
}

export interface Page<T> {
  readonly itens: T[];
  /** Rows that match, over all pages. */
  readonly total: number;
}

export interface PageQuery {
  readonly table: string;
  readonly columns: readonly string[];
  readonly order: readonly { readonly column: string; readonly order: 'asc' | 'desc' }[];
  /** Narrows the tenant's rows. */
  readonly filter: (query: Knex.QueryBuilder) => void;
}

/**
 * Reads one page by a deferred join: the offset walks a covering index, and only the page's own rows are fetched whole.
 * The rows are counted only when the page itself does not already tell their number.
 */
export async function readPage<Row>(tenant: TenantDb, query: PageQuery, page: PageRequest): Promise<Page<Row>> {
  const { table, columns, filter } = query;
  const order = [...query.order];
  const offset = (page.pagina - 1) * page.porPagina;
  const keys = tenant.from(table).modify(filter).select(`${table}.id`).orderBy(order).limit(page.porPagina);
  if (offset > 0) keys.offset(offset);

  const itens = (await tenant
    .from(table)
    .join(keys.as('pagina'), 'pagina.id', `${table}.id`)
    .select(columns.map((column) => `${table}.${column}`))
    .orderBy(order)) as Row[];

  const ended = itens.length < page.porPagina && (itens.length > 0 || offset === 0);
  if (ended) return { itens, total: offset + itens.length };
  const [count] = (await tenant.from(table).modify(filter).count({ total: '*' })) as [{ total: number }];
  return { itens, total: count.total };
}
