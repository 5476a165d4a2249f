import type { Db } from './database.ts';

type Value = string | number | null;

/** A piece of a text: the same for all rows, of a column of the row itself, or a value given for the row. */
type Piece = string | { readonly column: string } | OwnPiece;
interface OwnPiece {
  readonly value: string;
}

/**
 * New values by column, or by the name that a piece gives them: one for all rows, or one for each in the order of the ids, which is then
 * null or in printable ASCII, not empty and without a space at its end.
 */
type Values = Readonly<Record<string, Value | readonly Value[]>>;

interface UpdateEachOptions {
  /** Columns of the rows that are compared and not written: a row that holds another value by now stays as it is. */
  readonly matching?: readonly string[];
  /** Columns put together of pieces, so that what rows have in common is sent once; null where a piece is. */
  readonly composed?: Readonly<Record<string, readonly Piece[]>>;
  /** Columns that stay as they are, though the table would change them with any other. */
  readonly keeping?: readonly string[];
  /** What else must hold of a row. */
  readonly where?: Readonly<Record<string, string | number>>;
}

/** What is said of an update besides its table and tenant. */
export type UpdateEach = [ids: readonly number[], values: Values, options?: UpdateEachOptions];

/** Of rows that are sought one by one: MariaDB makes a join, with a temporary table, of a longer list of ids. */
const SCATTERED_ROWS = 900;

/** Of rows most of whose ids follow one another, which are cheaper to go through than to seek one by one. */
const DENSE_ROWS = 2000;
/** Up to so many times as many ids as rows, from the first to the last, a row's place is its id's distance from the first. */
const DENSE = 2;

/**
 * Gives each of many rows of one tenant, found by `id`, values of its own; ids of no row are passed over. Resolves to how many rows there
 * were to change.
 *
 * A column's values travel as one text of records of equal width, and a row finds its own by the place of its id in the list. So a row
 * costs the server little more than it would with constants; joined with a table of values, it costs twice as much, for every
 * value is parsed, stored, sought and read by itself. Values come by column, because an object a row costs as much as the rest.
 */
export async function updateEach(
  trx: Db,
  table: string,
  tenantId: number,
  ...[ids, values, { matching = [], composed = {}, keeping = [], where = {} } = {}]: UpdateEach
): Promise<number> {
  const sorted = sortById(ids, values);
  const pieces = Object.values(composed).flat();
  const used = new Set([...matching, ...pieces.flatMap((piece) => (isOwn(piece) ? piece.value : []))]);
  const columns = Object.keys(values).filter((name) => !used.has(name));
  let found = 0;
  for (let from = 0, to = 0; from < ids.length; from = to) {
    const many = placesOf(sorted.ids.slice(from, from + DENSE_ROWS));
    const places = many.sought <= SCATTERED_ROWS ? many : placesOf(sorted.ids.slice(from, from + SCATTERED_ROWS));
    to = from + places.at.length;
    const bindings: Value[] = [];
    const bound = (sql: string, ...own: readonly Value[]): string => {
      bindings.push(...own);
      return sql;
    };
    const valueOf = (name: string): string => {
      const value = sorted.values[name] ?? null;
      return isList(value) ? bound(...expression(value.slice(from, to), places)) : bound('?', value);
    };
    const pieceOf = (piece: Piece): string => {
      // As bytes, all of them: there is no collation of a text and a column of another character set.
      if (typeof piece === 'string') return bound('_binary?', piece);
      return isOwn(piece) ? `CAST(${valueOf(piece.value)} AS BINARY)` : piece.column;
    };
    const sets = [
      ...columns.map((column) => `${column} = ${asText(valueOf(column))}`),
      ...Object.entries(composed).map(([column, of]) => `${column} = CONCAT(${of.map(pieceOf).join(', ')})`),
      ...keeping.map((column) => `${column} = ${column}`),
    ];
    const conditions = [
      places.among,
      ...matching.map((column) => `${column} = ${valueOf(column)}`),
      ...Object.entries(where).map(([column, value]) => bound(`${column} = ?`, value)),
      bound('provedor_id = ?', tenantId),
    ];
    // In the index of `id` alone nothing but these ids can be sought: a scan would wait for rows that others hold.
    const [done] = await trx.raw<[{ affectedRows: number }?]>(
      `UPDATE ${table} FORCE INDEX (${table}_id) SET ${sets.join(', ')} WHERE ${conditions.join(' AND ')}`,
      bindings,
    );
    found += done?.affectedRows ?? 0;
  }
  return found;
}

/** What is written of a record: MySQL makes JSON of text alone, and not of bytes. */
const asText = (sql: string): string => (sql === '?' ? sql : `CONVERT(${sql} USING utf8mb4)`);

const isOwn = (piece: Piece): piece is OwnPiece => typeof piece === 'object' && 'value' in piece;

const isList = (value: Value | readonly Value[]): value is readonly Value[] => Array.isArray(value);

function sortById(ids: readonly number[], values: Values): { ids: readonly number[]; values: Values } {
  if (ids.every((id, n) => id > (ids[n - 1] ?? -1))) return { ids, values };
  const order = ids.map((id, n) => [id, n] as const).toSorted(([a], [b]) => a - b);
  const inOrder = (value: Value | readonly Value[]): Value | Value[] =>
    isList(value) ? order.map(([, n]) => value[n] ?? null) : value;
  return {
    ids: order.map(([id]) => id),
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inOrder(value)])),
  };
}

/** How a statement knows the rows of a list of ids, and each row its place among the records. */
interface Places {
  /** Condition that holds of the rows. */
  readonly among: string;
  /** Ids in its list. */
  readonly sought: number;
  /** The place of a row's record, from 1. */
  readonly place: string;
  /** Records, of which there may be some that are no row's. */
  readonly records: number;
  /** Places of the rows, in their order, from 0. */
  readonly at: readonly number[];
}

function placesOf(ids: readonly number[]): Places {
  const first = ids[0] ?? 0;
  const records = (ids.at(-1) ?? 0) - first + 1;
  if (records > DENSE * ids.length) {
    const list = ids.join(',');
    return {
      among: `id IN (${list})`,
      sought: ids.length,
      place: `INTERVAL(id, ${list})`,
      records: ids.length,
      at: [...ids.keys()],
    };
  }
  // InnoDB locks what is gone through, of whichever tenant it is, and the row after each range: so no id between two of the list
  // is gone through, and the last of each run is sought.
  const runs = runsOf(ids);
  const ranges = runs.filter(([from, to]) => from < to).map(([from, to]) => `id BETWEEN ${from} AND ${to - 1}`);
  return {
    among: `(${[...ranges, `id IN (${runs.map(([, to]) => to).join(',')})`].join(' OR ')})`,
    sought: runs.length,
    place: `(id - ${first - 1})`,
    records,
    at: ids.map((id) => id - first),
  };
}

/** The runs of ids that follow one another, first and last of each. */
function runsOf(ids: readonly number[]): [from: number, to: number][] {
  const runs: [number, number][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run !== undefined && id <= run[1] + 1) run[1] = id;
    else runs.push([id, id]);
  }
  return runs;
}

/** What a record can carry: spaces fill it up, so that a text is not empty and does not end in one; its width counts bytes. */
const RECORD = /^[ -~]*[!-~]$/;

/**
 * SQL for each row's own of some values, and what is bound in it.
 * @throws {RangeError} when a value is no text that a record can carry.
 */
function expression(values: readonly Value[], { place, records, at }: Places): [sql: string, binding: Value] {
  const [first = null] = values;
  if (values.every((value) => value === first)) return ['?', first];
  const texts = values.map((value) => (value === null ? '' : String(value)));
  if (texts.some((text, n) => values[n] !== null && !RECORD.test(text))) throw new RangeError('no record for a value');
  const width = Math.max(...texts.map(({ length }) => length));
  const spread = Array.from<string>({ length: records }).fill(' '.repeat(width));
  for (const [n, each] of texts.entries()) spread[at[n] ?? n] = each.padEnd(width);
  const record = `SUBSTRING(_binary?, ${place} * ${width} - ${width - 1}, ${width})`;
  const trimmed = texts.every(({ length }) => length === width) ? record : `RTRIM(${record})`;
  return [values.includes(null) ? `NULLIF(${trimmed}, '')` : trimmed, spread.join('')];
}
