import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { createConnection } from 'mysql2/promise';
import type { Connection } from 'mysql2/promise';
import type { Db } from '../../src/platform/mysql/database.ts';

/** All that an import writes, in the order of the foreign keys. */
export const TABLES = [
  'app_documentos',
  'planos',
  'clientes',
  'clientes_telefones',
  'contratos',
  'contratos_historico',
  'importacao_senhas',
  'faturas',
  'importacao_linhas',
  'auditoria',
  'eventos',
] as const;

interface Dump {
  readonly table: string;
  readonly file: string;
  readonly columns: readonly Column[];
  readonly rows: number;
}

interface Column {
  readonly name: string;
  readonly binary: boolean;
}

/** Writes the rows of a provider to files as LOAD DATA takes them. */
export async function dump(db: Db, provider: number, folder: string): Promise<Dump[]> {
  const dumps: Dump[] = [];
  for (const table of TABLES) {
    const columns = await columnsOf(db, table);
    const list = columns.map(({ name, binary }) => (binary ? `HEX(${name}) AS ${name}` : name)).join(', ');
    const file = path.join(folder, `import-${table}.tsv`);
    const out = createWriteStream(file);
    let rows = 0;
    const stream = db.raw(`SELECT ${list} FROM ${table} WHERE provedor_id = ?`, [provider]).stream() as AsyncIterable<
      Record<string, unknown>
    >;
    for await (const row of stream) {
      rows += 1;
      if (!out.write(`${columns.map(({ name }) => cell(row[name])).join('\t')}\n`)) {
        await once(out, 'drain');
      }
    }
    out.end();
    await finished(out);
    dumps.push({ table, file, columns, rows });
  }
  return dumps;
}

/** The columns that a statement may write. */
export async function columnsOf(db: Db, table: string): Promise<Column[]> {
  const [rows = []] = await db.raw<{ name: string; type: string; extra: string }[][]>(
    `SELECT column_name AS name, data_type AS type, extra FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position`,
    [table],
  );
  return rows
    .filter(({ extra }) => !/GENERATED/i.test(extra) || /DEFAULT_GENERATED/i.test(extra))
    .map(({ name, type }) => ({ name, binary: /binary|blob/.test(type) }));
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
}

/** Loads the files into the tables of another database; resolves to the seconds that the statements took. */
export async function loadData(url: string, dumps: readonly Dump[]): Promise<number> {
  const parts = new URL(url);
  const socketPath = parts.searchParams.get('socketPath');
  const connection: Connection = await createConnection({
    ...(socketPath === null ? { host: parts.hostname, port: Number(parts.port || 3306) } : { socketPath }),
    user: decodeURIComponent(parts.username),
    password: decodeURIComponent(parts.password),
    database: decodeURIComponent(parts.pathname.slice(1)),
    flags: ['+LOCAL_FILES'],
  });
  try {
    // As the service's own connections have it: triggers tell nobody of what is written.
    await connection.query(`SET @malha_avisa = 1, time_zone = '+00:00', sql_mode = 'TRADITIONAL'`);
    let ms = 0;
    for (const { table, file, columns } of dumps) {
      const names = columns.map(({ name, binary }) => (binary ? `@${name}` : name)).join(', ');
      const sets = columns.filter(({ binary }) => binary).map(({ name }) => `${name} = UNHEX(@${name})`);
      const begun = performance.now();
      await connection.query({
        sql: `LOAD DATA LOCAL INFILE '${table}' INTO TABLE ${table} CHARACTER SET utf8mb4 (${names})${sets.length > 0 ? ` SET ${sets.join(', ')}` : ''}`,
        infileStreamFactory: () => createReadStream(file),
      });
      ms += performance.now() - begun;
    }
    return ms / 1000;
  } finally {
    await connection.end();
  }
}
