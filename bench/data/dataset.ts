import { createDatabase } from '../../src/platform/mysql/database.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { migrate } from '../../src/platform/mysql/schema/migrations.ts';
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
  return openGenerated(context, `bench_${clients}_v${ROWS_VERSION}`, async (db) => {
    const begun = performance.now();
    await generate(db, clients, (line) => {
      if (clients >= CLIENTS_A_REPORT) context.log(line);
    });
    context.log(`${clients} clientes gerados em ${seconds(begun)} s`);
  });
}

/** A migrated database of its own name, filled by `fill` on the first run and kept for the next ones. */
export async function openGenerated(
  context: Pick<BenchContext, 'databaseUrl'>,
  name: string,
  fill: (db: Db) => Promise<void>,
): Promise<Dataset> {
  const url = withDatabase(context.databaseUrl, name);
  const open = (pool: number): Db => createDatabase({ url, pool, announces: true });
  const server = createDatabase({ url: withDatabase(context.databaseUrl, ''), pool: 1 });
  const db = open(3);
  try {
    // The table is made last: a database without it was left half made.
    const [rows] = await server.raw<unknown[][]>(
      "SELECT 1 FROM information_schema.tables WHERE table_schema = ? AND table_name = 'bench_pronto'",
      [name],
    );
    const missing = rows?.length === 0;
    if (missing) {
      await server.raw('DROP DATABASE IF EXISTS ??', [name]);
      await server.raw('CREATE DATABASE ?? CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci', [name]);
    }
    await migrate(db);
    if (missing) {
      await fill(db);
      await db.raw('CREATE TABLE bench_pronto (pronto TINYINT)');
    }
  } finally {
    await db.destroy();
    await server.destroy();
  }
  return { url, open };
}

/** Fills a migrated database with the one provider and its clients. */
export async function generate(db: Db, clients: number, report: (line: string) => void): Promise<void> {
  const begun = performance.now();
  await db.transaction(async (trx) => {
    await trx('provedores').insert({ id: PROVIDER_ID, nome: 'Bancada', panel_host: PANEL_HOST });
    await trx('regras_cobranca').insert({ provedor_id: PROVIDER_ID });
    await trx('planos').insert(PLANOS.map((plano) => ({ provedor_id: PROVIDER_ID, ...plano })));
  });
  await withoutTriggers(db, async () => {
    for (const { table, rowsOf } of TABLES) {
      await insertRows(db, table, clients, (i) => rowsOf(i).map((row) => ({ provedor_id: PROVIDER_ID, ...row })));
      report(`${table}: ${seconds(begun)} s`);
    }
    await db.raw(
      'INSERT INTO clientes_alteracoes SELECT provedor_id, id, criado_em FROM clientes WHERE provedor_id = ?',
      [PROVIDER_ID],
    );
  });
  for (const { table } of TABLES) await db.raw('ANALYZE TABLE ??', [table]);
}

/** Runs a load without what is done for each row: tables with triggers are not filled by sorting. Whoever loads writes what they would. */
export async function withoutTriggers(db: Db, load: () => Promise<void>): Promise<void> {
  const [triggers = []] = await db.raw<{ Trigger: string }[][]>("SHOW TRIGGERS WHERE `Trigger` LIKE 'leituras\\_%'");
  const definitions: string[] = [];
  for (const { Trigger: name } of triggers) {
    const [[made] = []] = await db.raw<Record<string, string>[][]>('SHOW CREATE TRIGGER ??', [name]);
    definitions.push(made?.['SQL Original Statement'] ?? '');
    await db.raw('DROP TRIGGER ??', [name]);
  }
  await load();
  for (const definition of definitions) await db.raw(definition);
}

/** Fills a table with the rows of 1 to `count`, in one transaction. */
export async function insertRows(db: Db, table: string, count: number, rowsOf: (i: number) => Row[]): Promise<void> {
  await db.transaction(async (trx) => {
    // Into an empty table, within one transaction and without these checks, MariaDB sorts and builds its indexes whole.
    await trx.raw('SET SESSION unique_checks = 0, foreign_key_checks = 0');
    let rows: Row[] = [];
    for (let i = 1; i <= count; i += 1) {
      rows.push(...rowsOf(i));
      if (rows.length < ROWS_A_STATEMENT && i < count) continue;
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
    return `(${cells.join(',')})`;
  });
  return `INSERT INTO ${table} (${columns.join(',')}) VALUES ${values.join(',')}`;
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

function seconds(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(1);
}
