import { expressions, rowsOfSql } from '../columns.ts';
import type { Db } from '../database.ts';

/** How the rows of a table are written as SQL. */
export interface Shape {
  /** Columns that hold something of their own; the server makes the others. */
  readonly columns: readonly string[];
  /** Expression of a row of `t`: its values between commas, as an INSERT takes them. */
  readonly literal: string;
  /** Rows that are compared and copied together, fewer where they are long. */
  readonly rowsATurn: number;
}

const MOST_ROWS = 2000;
/** Of one statement; the server's own bound is 16 MiB or more. */
export const MOST_BYTES = 2 * 1024 * 1024;

const COLUMN = expressions<{ name: string; type: string; extra: string; bytes: number | null }>({
  name: 'c.COLUMN_NAME',
  type: 'c.DATA_TYPE',
  extra: 'c.EXTRA',
  bytes: 't.AVG_ROW_LENGTH',
});

const BINARY = ['binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'];

/**
 * Text in quotes as the server itself escapes it, bytes in hexadecimal: read back, each value is what it was. All are of
 * one character set and collation: of columns that differ in both, MySQL would make a text in the narrowest set.
 */
function literalOf(column: string, type: string): string {
  const name = `t.\`${column}\``;
  if (BINARY.includes(type)) return `IF(${name} IS NULL, 'NULL', CONCAT('X''', HEX(${name}), ''''))`;
  const text = type === 'json' ? `CAST(${name} AS CHAR CHARACTER SET utf8mb4)` : name;
  return `CONVERT(QUOTE(${text}) USING utf8mb4)`;
}

/** @param without - columns that are each side's own */
export async function shapeOf(db: Db, table: string, without: readonly string[] = []): Promise<Shape> {
  const found = await rowsOfSql(
    db,
    COLUMN,
    (list) =>
      `SELECT ${list} FROM information_schema.COLUMNS c
         JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
        WHERE c.TABLE_SCHEMA = DATABASE() AND c.TABLE_NAME = ? ORDER BY c.ORDINAL_POSITION`,
    [table],
  );
  const own = found.filter(
    ({ name, extra }) => !/GENERATED/i.test(extra.replace(/DEFAULT_GENERATED/i, '')) && !without.includes(name),
  );
  const bytes = Math.max(1, found[0]?.bytes ?? 1);
  return {
    columns: own.map(({ name }) => name),
    literal: `CONCAT_WS(',', ${own.map(({ name, type }) => literalOf(name, type)).join(', ')})`,
    rowsATurn: Math.min(MOST_ROWS, Math.max(1, Math.floor(MOST_BYTES / (2 * bytes)))),
  };
}
