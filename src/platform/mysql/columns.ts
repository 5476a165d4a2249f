import type { Knex } from 'knex';
import type { Db } from './database.ts';

/**
 * Where each field of a row comes from: `true` is the column of that name; a text is the SQL of what it holds, another table's column or an
 * expression without bindings. All fields and no others, or it does not compile.
 */
export type ColumnsOf<Row> = { readonly [Name in keyof Row & string]-?: true | string };

/** Columns to read, and the row that they give. Made once, and not for each reading: the text of a list is made with it. */
export interface Columns<Row> {
  /** What stands between SELECT and FROM. */
  readonly list: string;
  /** As they were named, for the columns of a wider row. */
  readonly of: ColumnsOf<Row>;
  /** Never there: it holds the type. */
  readonly row?: Row;
}

/** Fields that are the value of another query, or of an expression with bindings; made for one reading. */
export interface Computed<Row> {
  readonly values: { readonly [Name in keyof Row & string]-?: Knex.QueryBuilder | Knex.Raw };
  /** Never there: it holds the type. */
  readonly row?: Row;
}

/** Columns of a table, or of its alias. None of this may come from outside: it is written into the statement as it stands. */
export function columns<Row>(table: string, of: ColumnsOf<Row>): Columns<Row> {
  const list = Object.entries<true | string>(of).map(([name, from]) =>
    from === true ? `\`${table}\`.\`${name}\`` : `${from} as \`${name}\``,
  );
  return { list: list.join(', '), of };
}

/** Fields of which none is the column of its own name: sums, or what the server says of itself. */
export function expressions<Row>(of: { readonly [Name in keyof Row & string]-?: string }): Columns<Row> {
  return columns('', of);
}

/** Of the one table that is read. */
export const ID = expressions<{ id: number }>({ id: 'id' });

export function computed<Row>(values: Computed<Row>['values']): Computed<Row> {
  return { values };
}

/** All of several rows in one. */
type All<Rows extends readonly unknown[]> = Rows extends readonly [infer First, ...infer Rest]
  ? First & All<Rest>
  : unknown;

/** What a query finds, with these columns. It is asked at once, so all that narrows, orders or locks the rows has been said before. */
export async function rowsOf<Rows extends readonly unknown[]>(
  query: Knex.QueryBuilder,
  ...chosen: { [N in keyof Rows]: Columns<Rows[N]> | Computed<Rows[N]> }
): Promise<All<Rows>[]> {
  return (await choose(query, chosen)) as All<Rows>[];
}

/** The same of joined tables, each with its columns under its own name or alias; what was computed is of no table, and stands under ''. */
export async function nestedRowsOf<Tables, Rows extends readonly unknown[]>(
  query: Knex.QueryBuilder,
  tables: { readonly [Table in keyof Tables]: Columns<Tables[Table]> },
  ...values: { [N in keyof Rows]: Computed<Rows[N]> }
): Promise<(Tables & { '': All<Rows> })[]> {
  const chosen = [...Object.values<Columns<unknown>>(tables), ...values];
  return (await choose(query, chosen).options({ nestTables: true })) as (Tables & { '': All<Rows> })[];
}

/** What a statement finds that is written out, around the list of its columns. */
export async function rowsOfSql<Row>(
  db: Db,
  { list }: Columns<Row>,
  write: (list: string) => string,
  bindings: readonly Knex.RawBinding[] = [],
): Promise<Row[]> {
  const [rows = []] = await db.raw<Row[][]>(write(list), bindings);
  return rows;
}

function choose(
  query: Knex.QueryBuilder,
  chosen: readonly (Columns<unknown> | Computed<unknown>)[],
): Knex.QueryBuilder {
  for (const one of chosen) query.select('list' in one ? (query.client.raw(one.list) as Knex.Raw) : one.values);
  return query;
}
