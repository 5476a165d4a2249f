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

/** A part of a list that is read from place to place. */
export interface SliceRequest {
  /** Null for the beginning of the list. */
  readonly after: Place | null;
  readonly limit: number;
}

export interface Slice<T> {
  readonly itens: T[];
  /** Rows that match, over all parts. */
  readonly total: number;
  /** Where the next part begins; null at the end of the list. */
  readonly next: Place | null;
}

/** What is remembered for one reader of a list, from page to page; see page-walks.ts. */
export interface PageReader {
  /** The place where a page begins, when this reader has read the page before it; else null. */
  placeOf(list: string, page: PageRequest): Promise<Place | null>;
  /** Stores the place where the page after this one begins; null when this is the last page. */
  leave(list: string, page: PageRequest, next: Place | null): Promise<void>;
  /**
   * The number of rows, and some places. They are counted again when the list has changed, or when more rows were seen.
   */
  total(list: string, seen: number, count: () => Promise<number>): Promise<Marks>;
}

/** A part of a list that has an index of its own. */
export interface PagePart {
  readonly index: string;
  readonly filter: (query: Knex.QueryBuilder) => void;
}

export interface PageQuery<Column extends string = string> {
  readonly table: string;
  /** A narrower table with the same ids and the columns of the order, in which the page's rows are searched. */
  readonly keys?: string | undefined;
  /** The order of the list, by columns that both tables have. */
  readonly order: readonly { readonly column: Column; readonly order: 'asc' | 'desc' }[];
  /**
   * The index that covers the filter and the order. Of several, the optimizer chooses the one that leaves fewer rows.
   */
  readonly indexes?: readonly string[];
  /** True when nothing is filtered. Then the rows are counted in the narrowest index of the table. */
  readonly whole?: boolean | undefined;
  /** Filters the tenant's rows. */
  readonly filter: (query: Knex.QueryBuilder) => void;
  /** Parts without common rows that together are what `filter` leaves. They are used when the list has few rows. */
  readonly parts?: readonly PagePart[] | undefined;
}

/**
 * A list that a reader reads whole, page by page. Its name is made of its filters, none of which is about one person.
 */
export interface ListWalk {
  readonly list: string;
  /** The local day, when the number of rows depends on it. */
  readonly day: string;
  readonly reader: PageReader;
}

/** Up to this many rows, sorting all of them for each page costs less than searching them in the order of the list. */
const FEW = 20_000;

const TOTAL = expressions<{ total: number }>({ total: 'count(*)' });

/** From this offset on, it is worth to look for a shorter way to a page. */
const FAR = 1000;

/**
 * Reads one page by a deferred join: the filter and the order use a covering index, and only the rows of the page are
 * read whole. A reader that goes from page to page continues after the last row. This costs the same on every page and
 * neither skips nor repeats a row. Any other page is found by its offset, from the first row or from the nearest known
 * place.
 *
 * @param query its order is by columns that are read, for the last row says where the next page begins.
 * @param select reads columns of the rows, and may join others.
 */
export async function readPage<Row extends object>(
  tenant: TenantDb,
  query: PageQuery<keyof NoInfer<Row> & string>,
  page: PageRequest,
  select: (rows: Knex.QueryBuilder) => PromiseLike<Row[]>,
  reading: ListWalk | null = null,
): Promise<Page<Row>> {
  const { pagina, porPagina } = page;
  const count = async (): Promise<number> => countRows(tenant, query);
  const total = async (seen: number): Promise<Marks> =>
    reading === null ? createMarks(await count()) : reading.reader.total(`${reading.list} ${reading.day}`, seen, count);
  const offset = (pagina - 1) * porPagina;
  const place = reading === null || pagina === 1 ? null : await reading.reader.placeOf(reading.list, page);
  const far = place === null && offset > FAR;
  // The number of rows decides how the page is found.
  const held = far || query.parts !== undefined ? await total(0) : null;
  // When the page is past the end of the last count, rows may have been added since.
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
  // A page that is not full and was found by its offset shows the number of rows by itself.
  const tells = place === null && !full && (itens.length > 0 || pagina === 1);
  return { itens, total: tells ? seen : (await total(itens.length === 0 ? 0 : seen)).rows };
}

/**
 * Reads the rows that follow a place, which costs the same wherever it is. The parameters are as of `readPage`; of a
 * reading, only the count is used.
 */
export async function readAfter<Row extends object>(
  tenant: TenantDb,
  query: PageQuery<keyof NoInfer<Row> & string>,
  { after, limit }: SliceRequest,
  select: (rows: Knex.QueryBuilder) => PromiseLike<Row[]>,
  reading: ListWalk | null = null,
): Promise<Slice<Row>> {
  const count = async (): Promise<number> => countRows(tenant, query);
  const total = async (seen: number): Promise<number> =>
    reading === null ? count() : (await reading.reader.total(`${reading.list} ${reading.day}`, seen, count)).rows;
  const few = query.parts !== undefined && (await total(0)) <= FEW;
  const seek = { place: after, backwards: false, offset: 0, limit: limit + 1 };
  const found = await select(rowsWith(tenant, query, keysOf(tenant, query, seek, few)));
  const itens = found.slice(0, limit);
  const last = itens.at(-1) as Record<string, string | number> | undefined;
  const more = found.length > limit && last !== undefined;
  const whole = after === null && !more;
  return {
    itens,
    total: whole ? itens.length : await total(found.length),
    next: more ? query.order.map(({ column }) => last[column] ?? 0) : null,
  };
}

/** The rows whose keys these are, in the list's order. */
function rowsWith(
  { db, provedorId }: TenantDb,
  { table, order }: PageQuery,
  keys: Knex.QueryBuilder,
): Knex.QueryBuilder {
  // STRAIGHT_JOIN: from some offset on, the optimizer would reverse the join and read all rows of the tenant.
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
 * `(a, b) > (x, y)`, written so that the optimizer can use index ranges: `a > x OR (a = x AND b > y)`.
 *
 * @param inclusive finds the row of the place as well. It is the last row before the place, and so the first one
 * backwards.
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
