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
  readonly columns: readonly string[];
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
export async function readPage<Row>(tenant: TenantDb, query: PageQuery, page: PageRequest): Promise<Page<Row>> {
  const { table, order, columns } = query;
  const { db, provedorId } = tenant;
  const keys = keysOf(tenant, query, page).select(`${table}.id`).as('pagina');
  // STRAIGHT_JOIN: past some offset the optimizer would turn the join round and walk the whole tenant.
  const rows = (await db(keys)
    .joinRaw('STRAIGHT_JOIN ?? ON ?? = ? AND ?? = ??', [
      table,
      `${table}.provedor_id`,
      provedorId,
      `${table}.id`,
      'pagina.id',
    ])
    .orderBy([...order])
    .timeout(READ_TIMEOUT_MS)
    .select(columns.map((column) => `${table}.${column}`))) as Row[];
  return counted(tenant, query, page, rows);
}

/** The ids of one page. */
export async function readKeys(tenant: TenantDb, query: PageQuery, page: PageRequest): Promise<Page<number>> {
  const rows = await keysOf(tenant, query, page).select<{ id: number }[]>(`${query.table}.id`);
  const ids = rows.map(({ id }) => id);
  return counted(tenant, query, page, ids);
}

function keysOf(tenant: TenantDb, { table, index, order, filter }: PageQuery, page: PageRequest): Knex.QueryBuilder {
  const offset = offsetOf(page);
  const keys = tenant
    .from(table, index)
    .modify(filter)
    .orderBy([...order])
    .limit(page.porPagina);
  return offset === 0 ? keys : keys.offset(offset);
}

async function counted<T>(
  tenant: TenantDb,
  { table, index, filter }: PageQuery,
  page: PageRequest,
  itens: T[],
): Promise<Page<T>> {
  const offset = offsetOf(page);
  const told = itens.length < page.porPagina && (itens.length > 0 || offset === 0);
  if (told) return { itens, total: offset + itens.length };
  const [count] = await tenant.from(table, index).modify(filter).count<[{ total: number }]>({ total: '*' });
  return { itens, total: count?.total ?? 0 };
}

const offsetOf = ({ pagina, porPagina }: PageRequest): number => (pagina - 1) * porPagina;
