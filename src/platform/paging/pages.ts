import type { Knex } from 'knex';
import { createMarks } from './page-marks.ts';
import type { Marks, Place, Seek } from './page-marks.ts';
import { expressions, rowsOf } from '../mysql/columns.ts';
import { READ_TIMEOUT_MS } from '../mysql/tenant.ts';
import type { TenantDb } from '../mysql/tenant.ts';

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

/** What one reader of a list remembers from page to page; see page-walks.ts. */
export interface PageReader {
  /** Where a page begins, if this reader has read the page before it; null when that is not known. */
  placeOf(list: string, page: PageRequest): Promise<Place | null>;
  /** Says where the page after this one begins; null when this is the last. */
  leave(list: string, page: PageRequest, next: Place | null): Promise<void>;
  /** How many rows a list has, and where some stand; counted when something of it has changed since it was last, or when more have been seen. */
  total(list: string, seen: number, count: () => Promise<number>): Promise<Marks>;
}

/** A part of a list, found by an index of its own. */
export interface PagePart {
  readonly index: string;
  readonly filter: (query: Knex.QueryBuilder) => void;
}

export interface PageQuery<Column extends string = string> {
  readonly table: string;
  /** A narrower table with the same ids and the columns of the order, to find the page's rows in. */
  readonly keys?: string | undefined;
  /** Columns of both. */
  readonly order: readonly { readonly column: Column; readonly order: 'asc' | 'desc' }[];
  /** Index that holds the filter and the order; of several, the optimizer knows better how many rows each leaves. */
  readonly indexes?: readonly string[];
  /** Nothing is filtered: the rows are counted in the narrowest index there is. */
  readonly whole?: boolean | undefined;
  /** Narrows the tenant's rows. */
  readonly filter: (query: Knex.QueryBuilder) => void;
  /** Parts that have no row in common, and together are what `filter` leaves: a few rows among many are found by these. */
  readonly parts?: readonly PagePart[] | undefined;
}

/** A list that is read whole, page by page. It is named by its filters, of which none is about one person. */
export interface Reading {
  readonly list: string;
  /** The day, where it decides how many rows there are. */
  readonly day: string;
  readonly reader: PageReader;
}

/** Up to this many rows, it costs less to sort them all for each page than to seek them in the list's order. */
const FEW = 20_000;

const TOTAL = expressions<{ total: number }>({ total: 'count(*)' });

/** Rows from the first beyond which it is worth knowing of a shorter way to a page. */
const FAR = 1000;

/**
 * Reads one page by a deferred join: the filter and the order run over a covering index, and only the page's own rows are
 * fetched whole. Whoever reads page after page goes on from the last row, which costs the same on every page and neither skips nor
 * repeats a row; any other page is counted off, from the first row or from the nearest known one.
 *
 * @param query its order is by columns that are read, for the last row says where the next page begins.
 * @param select reads columns of the rows, and may join others.
 */
export async function readPage<Row extends object>(
  tenant: TenantDb,
  query: PageQuery<keyof NoInfer<Row> & string>,
  page: PageRequest,
  select: (rows: Knex.QueryBuilder) => PromiseLike<Row[]>,
  reading: Reading | null = null,
): Promise<Page<Row>> {
  const { pagina, porPagina } = page;
  const count = async (): Promise<number> => countRows(tenant, query);
  const total = async (seen: number): Promise<Marks> =>
    reading === null ? createMarks(await count()) : reading.reader.total(`${reading.list} ${reading.day}`, seen, count);
  const offset = (pagina - 1) * porPagina;
  const place = reading === null || pagina === 1 ? null : await reading.reader.placeOf(reading.list, page);
  const far = place === null && offset > FAR;
  // How many there are decides how the page is found.
  const held = far || query.parts !== undefined ? await total(0) : null;
  // What is said to be past the end may have come in since.
  const counted = far && held !== null && held.rows <= offset ? await total(offset + 1) : held;
  const isPastEnd = far && counted !== null && counted.rows <= offset;
  const seek: Seek =
    far && counted !== null
      ? counted.seek(offset, porPagina)
      : { place, backwards: false, offset: place === null ? offset : 0, limit: porPagina };
  const few = query.parts !== undefined && (counted?.rows ?? 0) <= FEW;
  const itens = isPastEnd ? [] : await select(rowsWith(tenant, query, keysOf(tenant, query, seek, few)));

  const full = itens.length === porPagina;
  const last = itens.at(-1) as Record<string, string | number> | undefined;
  const next = full && last !== undefined ? query.order.map(({ column }) => last[column] ?? 0) : null;
  if (far && next !== null) counted?.leave(offset + porPagina, next);
  if (reading !== null) await reading.reader.leave(reading.list, page, next);
  const seen = (place === null && !isPastEnd ? offset : 0) + itens.length;
  if (counted !== null && counted.rows >= seen) return { itens, total: counted.rows };
  // A page that is not full, and was counted off, tells itself how many there are.
  const tells = place === null && !full && (itens.length > 0 || pagina === 1);
  return { itens, total: tells ? seen : (await total(itens.length === 0 ? 0 : seen)).rows };
}

/** The rows whose keys these are, in the list's order. */
function rowsWith(
  { db, provedorId }: TenantDb,
  { table, order }: PageQuery,
  keys: Knex.QueryBuilder,
): Knex.QueryBuilder {
  // STRAIGHT_JOIN: past some offset the optimizer would turn the join round and walk the whole tenant.
  return db(keys.as('pagina'))
    .joinRaw('STRAIGHT_JOIN ?? ON ?? = ? AND ?? = ??', [
      table,
      `${table}.provedor_id`,
      provedorId,
      `${table}.id`,
      'pagina.id',
    ])
    .orderBy(order.map(({ column, order: direction }) => ({ column: `${table}.${column}`, order: direction })))
    .timeout(READ_TIMEOUT_MS);
}

function keysOf(
  tenant: TenantDb,
  query: PageQuery,
  { place, backwards, offset, limit }: Seek,
  few: boolean,
): Knex.QueryBuilder {
  const { table, keys: source = table, indexes, filter, order, parts = [] } = query;
  const columns = [...new Set(['id', ...order.map(({ column }) => column)])];
  const list: Knex.QueryBuilder = few
    ? tenant.db.queryBuilder().from(
        tenant.db
          .unionAll(
            parts.map((part) =>
              tenant
                .from(source, part.index)
                .modify(part.filter)
                .select(columns.map((column) => `${source}.${column}`)),
            ),
          )
          .as(source),
      )
    : tenant.from(source, indexes).modify(filter);
  const turned = { asc: 'desc', desc: 'asc' } as const;
  const way = backwards ? order.map(({ column, order: direction }) => ({ column, order: turned[direction] })) : order;
  if (place !== null) list.where((rest) => goesOn(rest, source, way, place, backwards));
  return list
    .orderBy(way.map(({ column, order: direction }) => ({ column: `${source}.${column}`, order: direction })))
    .limit(limit)
    .offset(offset)
    .select(`${source}.id`);
}

/**
 * `(a, b) > (x, y)`, written as the optimizer knows how to make ranges of it: `a > x OR (a = x AND b > y)`.
 *
 * @param inclusive the row at the place itself is found as well: it is the last one before it, and the first one on the way back.
 */
function goesOn(
  query: Knex.QueryBuilder,
  table: string,
  order: PageQuery['order'],
  place: Place,
  inclusive: boolean,
): void {
  order.forEach(({ column, order: direction }, n) => {
    query.orWhere((after) => {
      for (let same = 0; same < n; same += 1) {
        after.where(`${table}.${order[same]?.column ?? ''}`, place[same] ?? 0);
      }
      const onward = direction === 'asc' ? '>' : '<';
      after.where(`${table}.${column}`, inclusive && n === order.length - 1 ? `${onward}=` : onward, place[n] ?? 0);
    });
  });
}

async function countRows(
  tenant: TenantDb,
  { table, keys: source = table, indexes, whole = false, filter, parts }: PageQuery,
): Promise<number> {
  let total = 0;
  for (const part of parts ?? [{ index: whole ? undefined : indexes, filter }]) {
    const [count] = await rowsOf(tenant.from(source, part.index).modify(part.filter), TOTAL);
    total += count?.total ?? 0;
  }
  return total;
}
