import { expressions, rowsOfSql } from '../columns.ts';
import { retryOnConflict } from '../conflicts.ts';
import type { Db } from '../database.ts';
import { MOST_BYTES } from './shape.ts';
import type { Shape } from './shape.ts';

type Value = string | number;
type Key = readonly Value[];

/** Some rows of a table, and the order in which they are gone through. */
export interface Slice {
  readonly table: string;
  /** What follows FROM; the rows are those of `t`. */
  readonly from: string;
  /** Which of them; with a placeholder for each of `values`. */
  readonly where: string;
  readonly values: Key;
  /** Expressions of which no two rows have the same values, in the order of an index that begins with what `where` says. */
  readonly key: readonly string[];
  /** Queues that triggers fill where rows of this slice are written: they are emptied in the same transaction. */
  readonly afterwards?: readonly { readonly sql: string; readonly values: Key }[];
  /** Rows that others refer to are changed where they are, and never deleted. */
  readonly inPlace?: boolean;
  /** Columns of the copy alone, with what they have there. */
  readonly added?: Readonly<Record<string, string>>;
}

/**
 * Is called as the last thing of each transaction that writes, with the rows of the slice that it is about; where it rejects, nothing of that
 * one is written.
 */
export type BeforeCommit = (trx: Db, range: Range) => Promise<void>;

export interface Copied {
  /** That there are at the source. */
  readonly rows: number;
  /** Turns of rows that were not the same, and were copied. */
  readonly changed: number;
}

/** Rows of a slice between two values of its key. */
export interface Range {
  readonly after: Key | null;
  /** The last one; null: to the end. */
  readonly upTo: Key | null;
}

const ALL: Range = { after: null, upTo: null };

const DIGEST = expressions<{ n: number; digest: string | null }>({
  n: 'COUNT(*)',
  digest: 'CAST(BIT_XOR(CAST(CONV(LEFT(SHA2(literal, 256), 16), 16, 10) AS UNSIGNED)) AS CHAR)',
});
const LITERAL = expressions<{ literal: string }>({ literal: 'literal' });

/**
 * Makes the rows of a slice at `target` those of `source`: reads both in turns, and copies those turns of which the digests differ. What it
 * did before a death is not done again.
 */
export async function copySlice(
  source: Db,
  target: Db,
  slice: Slice,
  shape: Shape,
  beforeCommit: BeforeCommit,
): Promise<Copied> {
  const differing: Range[] = [];
  let rows = 0;
  let after: Key | null = null;
  for (;;) {
    const upTo: Key | null = await endOfTurn(source, slice, shape, after);
    const range: Range = { after, upTo };
    const [here, there] = await Promise.all([
      digestOf(source, slice, shape, range),
      digestOf(target, slice, shape, range),
    ]);
    rows += here.n;
    if (here.n !== there.n || here.digest !== there.digest) differing.push(range);
    if (upTo === null) break;
    after = upTo;
  }
  // All that is too much goes first: it may have the keys of what comes.
  if (slice.inPlace !== true) for (const range of differing) await remove(target, slice, range, beforeCommit);
  for (const range of differing) {
    const literals = await literalsOf(source, slice, shape, range);
    await inTurn(target, slice, range, beforeCommit, async (trx) => insertLiterals(trx, slice, shape, literals));
  }
  return { rows, changed: differing.length };
}

/** Key of the last row of a turn; null where the rest is no more than one. */
async function endOfTurn(db: Db, slice: Slice, shape: Shape, after: Key | null): Promise<Key | null> {
  const { sql, values } = conditions(slice, { after, upTo: null });
  const keys = expressions<Record<string, Value>>(
    Object.fromEntries(slice.key.map((expression, n) => [`k${n}`, expression])),
  );
  const rows = await rowsOfSql(
    db,
    keys,
    (list) =>
      `SELECT ${list} FROM ${slice.from} WHERE ${sql} ORDER BY ${slice.key.join(', ')} LIMIT 1 OFFSET ${shape.rowsATurn - 1}`,
    [...values],
  );
  const [last] = rows;
  return last === undefined ? null : slice.key.map((_, n) => last[`k${n}`] ?? '');
}

/** How many rows, and a digest that does not depend on their order; of a whole slice unless a range is given. */
export async function digestOf(
  db: Db,
  slice: Slice,
  shape: Shape,
  range: Range = ALL,
): Promise<{ n: number; digest: string | null }> {
  const { sql, values } = conditions(slice, range);
  const [row] = await rowsOfSql(
    db,
    DIGEST,
    (list) => `SELECT ${list} FROM (SELECT ${shape.literal} AS literal FROM ${slice.from} WHERE ${sql}) AS r`,
    [...values],
  );
  return row ?? { n: 0, digest: null };
}

async function remove(target: Db, slice: Slice, range: Range, beforeCommit: BeforeCommit): Promise<void> {
  const { sql, values } = conditions(slice, range);
  await inTurn(target, slice, range, beforeCommit, async (trx) => {
    await trx.raw(`DELETE t FROM ${slice.from} WHERE ${sql}`, [...values]);
  });
}

async function literalsOf(db: Db, slice: Slice, shape: Shape, range: Range): Promise<string[]> {
  const { sql, values } = conditions(slice, range);
  const rows = await rowsOfSql(
    db,
    LITERAL,
    (list) => `SELECT ${list} FROM (SELECT ${shape.literal} AS literal FROM ${slice.from} WHERE ${sql}) AS r`,
    [...values],
  );
  return rows.map(({ literal }) => literal);
}

/** All rows of a slice as SQL, some at a time. */
export async function* literalsInTurns(db: Db, slice: Slice, shape: Shape): AsyncGenerator<readonly string[]> {
  let after: Key | null = null;
  for (;;) {
    const upTo: Key | null = await endOfTurn(db, slice, shape, after);
    yield literalsOf(db, slice, shape, { after, upTo });
    if (upTo === null) return;
    after = upTo;
  }
}

/** Deletes all rows of a slice, in the transaction of the caller, who has said what foreign keys are to do. */
export async function deleteSlice(trx: Db, slice: Slice): Promise<void> {
  await trx.raw(`DELETE t FROM ${slice.from} WHERE ${slice.where}`, [...slice.values]);
}

/** Writes rows as `literalsInTurns` gives them, in the transaction of the caller; empties the queues that triggers fill of them. */
export async function insertLiterals(trx: Db, slice: Slice, shape: Shape, literals: readonly string[]): Promise<void> {
  const added = Object.entries(slice.added ?? {});
  const names = [...shape.columns, ...added.map(([name]) => name)].map((name) => `\`${name}\``).join(', ');
  const constants = added.map(([, value]) => `,${value}`).join('');
  // Never its key: a row that is found by another unique key is somebody else's.
  const others = shape.columns.filter((name) => !slice.key.includes(`t.${name}`));
  const update =
    slice.inPlace === true
      ? ` ON DUPLICATE KEY UPDATE ${others.map((name) => `\`${name}\` = VALUES(\`${name}\`)`).join(', ')}`
      : '';
  for (const some of inStatements(literals.map((literal) => `(${literal}${constants})`))) {
    // Without placeholders: what a row holds may have question marks.
    await trx.raw(`INSERT INTO \`${slice.table}\` (${names}) VALUES ${some.join(',')}${update}`);
  }
  for (const { sql, values } of slice.afterwards ?? []) await trx.raw(sql, [...values]);
}

const READ_COMMITTED = { isolationLevel: 'read committed' } as const;

/** One transaction of the copy, which others at the target may hold up. What rows refer to comes in its own turn, maybe a later one. */
async function inTurn(
  target: Db,
  { afterwards = [] }: Slice,
  range: Range,
  beforeCommit: BeforeCommit,
  work: (trx: Db) => Promise<void>,
): Promise<void> {
  const turn = async (trx: Db): Promise<void> => {
    await trx.raw('SET SESSION foreign_key_checks = 0');
    try {
      await work(trx);
      for (const { sql, values } of afterwards) await trx.raw(sql, [...values]);
    } finally {
      await trx.raw('SET SESSION foreign_key_checks = 1');
    }
    await beforeCommit(trx, range);
  };
  await retryOnConflict(async () => target.transaction(turn, READ_COMMITTED));
}

function* inStatements(literals: readonly string[]): Generator<string[]> {
  let some: string[] = [];
  let bytes = 0;
  for (const literal of literals) {
    if (some.length > 0 && bytes + literal.length > MOST_BYTES) {
      yield some;
      [some, bytes] = [[], 0];
    }
    some.push(literal);
    bytes += literal.length;
  }
  if (some.length > 0) yield some;
}

/** What WHERE says of the rows of a slice in a range. */
export function conditions(
  { where, values, key }: Slice,
  { after, upTo }: Range,
): { readonly sql: string; readonly values: Key } {
  const parts = [where];
  const all = [...values];
  for (const [bound, last] of [
    [after, '>'],
    [upTo, '<='],
  ] as const) {
    if (bound === null) continue;
    parts.push(compared(key, last));
    for (let n = 0; n < key.length; n += 1) all.push(...bound.slice(0, n + 1));
  }
  return { sql: parts.join(' AND '), values: all };
}

/** `(a, b) > (x, y)` written out, because no server finds that by an index. */
function compared(key: readonly string[], last: '>' | '<='): string {
  const strict = last === '>' ? '>' : '<';
  const one = key.map((expression, n) => {
    const before = key.slice(0, n).map((equal) => `${equal} = ?`);
    const how = n === key.length - 1 ? last : strict;
    return `(${[...before, `${expression} ${how} ?`].join(' AND ')})`;
  });
  return `(${one.join(' OR ')})`;
}
