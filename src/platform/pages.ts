import type { Knex } from 'knex';
import { READ_TIMEOUT_MS } from './tenant.ts';
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
  readonly order: readonly { readonly column: string; readonly order: 'asc' | 'desc' }[];
  /** Covering index that holds the filter and the order; without one, the optimizer chooses by what it estimates. */
  readonly index?: string | undefined;
  /** Narrows the tenant's rows. */
  readonly filter: (query: Knex.QueryBuilder) => void;
}

/**
 * Reads one page by a deferred join: the filter and the order run over a covering index, and only the page's own rows are
 * fetched whole. The rows are counted only when the page itself does not already tell their number.
 */
export async function readPage<Row>(
  tenant: TenantDb,
  query: PageQuery,
  page: PageRequest,
  columns: readonly string[],
): Promise<Page<Row>> {
  const itens = (await pageRows(tenant, query, page).select(
    columns.map((column) => `${query.table}.${column}`),
  )) as Row[];
  return { itens, total: await totalOf(tenant, query, page, itens.length) };
}

/** The rows of one page, in its order; whoever selects columns may join other tables. */
export function pageRows(tenant: TenantDb, query: PageQuery, page: PageRequest): Knex.QueryBuilder {
  const { db, provedorId } = tenant;
  const { table, order } = query;
  // STRAIGHT_JOIN: past some offset the optimizer would turn the join round and walk the whole tenant.
  return db(keysOf(tenant, query, page))
    .joinRaw('STRAIGHT_JOIN ?? ON ?? = ? AND ?? = ??', [
      table,
      `${table}.provedor_id`,
      provedorId,
      `${table}.id`,
      'pagina.id',
    ])
    .orderBy([...order])
    .timeout(READ_TIMEOUT_MS);
}

/** How many rows there are over all pages, of which this page has `found`. */
export async function totalOf(
  tenant: TenantDb,
  { table, index, filter }: PageQuery,
  page: PageRequest,
  found: number,
): Promise<number> {
  const offset = offsetOf(page);
  if (found < page.porPagina && (found > 0 || offset === 0)) return offset + found;
  const [count] = await tenant.from(table, index).modify(filter).count<[{ total: number }]>({ total: '*' });
  return count?.total ?? 0;
}

function keysOf(tenant: TenantDb, { table, index, order, filter }: PageQuery, page: PageRequest): Knex.QueryBuilder {
  const offset = offsetOf(page);
  const keys = tenant
    .from(table, index)
    .modify(filter)
    .orderBy([...order])
    .limit(page.porPagina)
    .select(`${table}.id`)
    .as('pagina');
  return offset === 0 ? keys : keys.offset(offset);
}

const offsetOf = ({ pagina, porPagina }: PageRequest): number => (pagina - 1) * porPagina;
