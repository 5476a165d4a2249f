import { createDatabase } from '../../src/platform/database.ts';
import type { Db } from '../../src/platform/database.ts';
import { migrate } from '../../src/platform/migrations.ts';
import type { BenchContext } from '../support/bench.ts';
import { PLANOS, ROWS_VERSION, TABLES } from './rows.ts';
import type { Row } from './rows.ts';

const ROWS_A_STATEMENT = 2000;
const CLIENTS_A_REPORT = 250_000;

/** The one provider of a generated database. */
export const PROVIDER_ID = 1;
/** Where its integrators send their requests. */
export const PANEL_HOST = 'bancada.malha.test';

/** A generated database with one provider. */
export interface Dataset {
  readonly url: string;
  /** Opens a pool; whoever opens it destroys it. */
  readonly open: (pool: number) => Db;
}

/** A migrated database with `clients` clients, generated on the first run and kept for the next ones. */
export async function openDataset(context: BenchContext, clients: number): Promise<Dataset> {
  const name = `bench_${clients}_v${ROWS_VERSION}`;
  const url = withDatabase(context.databaseUrl, name);
  const open = (pool: number): Db => createDatabase({ url, pool });
  const server = createDatabase({ url: withDatabase(context.databaseUrl, ''), pool: 1 });
  try {
    // The table is made last: a database without it was left half made.
    const [rows] = await server.raw<unknown[][]>(
      "SELECT 1 FROM information_schema.tables WHERE table_schema = ? AND table_name = 'bench_pronto'",
      [name],
    );
    if (rows?.length === 0) {
      await server.raw('DROP DATABASE IF EXISTS ??', [name]);
      await server.raw('CREATE DATABASE ?? CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci', [name]);
      await generate(open, clients, context.log);
    }
  } finally {
    await server.destroy();
  }
  const db = open(2);
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
  return { url, open };
}

async function generate(open: Dataset['open'], clients: number, log: (line: string) => void): Promise<void> {
  const begun = performance.now();
  const db = open(2);
  try {
    await migrate(db);
    await db.transaction(async (trx) => {
      await trx('provedores').insert({ id: PROVIDER_ID, nome: 'Bancada', panel_host: PANEL_HOST });
      await trx('regras_cobranca').insert({ provedor_id: PROVIDER_ID });
      await trx('planos').insert(PLANOS.map((plano) => ({ provedor_id: PROVIDER_ID, ...plano })));
    });
    for (const { table, rowsOf } of TABLES) {
      await fill(db, table, rowsOf, clients);
      if (clients >= CLIENTS_A_REPORT) log(`${table}: ${seconds(begun)} s`);
    }
    for (const { table } of TABLES) await db.raw('ANALYZE TABLE ??', [table]);
    await db.raw('CREATE TABLE bench_pronto (pronto TINYINT)');
  } finally {
    await db.destroy();
  }
  log(`${clients} clientes gerados em ${seconds(begun)} s`);
}

async function fill(db: Db, table: string, rowsOf: (i: number) => Row[], clients: number): Promise<void> {
  await db.transaction(async (trx) => {
    // Into an empty table, within one transaction and without these checks, MariaDB sorts and builds its indexes whole.
    await trx.raw('SET SESSION unique_checks = 0, foreign_key_checks = 0');
    let rows: Row[] = [];
    for (let i = 1; i <= clients; i += 1) {
      rows.push(...rowsOf(i));
      if (rows.length < ROWS_A_STATEMENT && i < clients) continue;
      await trx.raw(insertion(table, rows));
      rows = [];
    }
    await trx.raw('SET SESSION unique_checks = 1, foreign_key_checks = 1');
  });
}

/** Written out by hand: the generator's own values need no escaping, and knex would bind them one by one. */
function insertion(table: string, rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => {
    const cells = columns.map((column) => {
      const value = row[column] ?? null;
      return typeof value === 'string' ? `'${value}'` : String(value);
    });
    return `(${PROVIDER_ID},${cells.join(',')})`;
  });
  return `INSERT INTO ${table} (provedor_id,${columns.join(',')}) VALUES ${values.join(',')}`;
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

function seconds(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(1);
}
