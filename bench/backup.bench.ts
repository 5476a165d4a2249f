import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { restoreBackup } from '../src/app/backup/restore.ts';
import { takeBackup } from '../src/app/backup/take.ts';
import { createDatabase } from '../src/platform/mysql/database.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { PANEL_HOST, PROVIDER_ID } from './data/dataset.ts';
import type { Dataset } from './data/dataset.ts';
import { createKeysOf } from './data/keys.ts';
import { openProviderAmongMany } from './data/provider-among-many.ts';
import type { BenchContext } from './support/bench.ts';
import { getAs } from './support/service.ts';
import { round } from './support/stats.ts';

const CLIENTS = Number(process.env['BENCH_CLIENTES'] ?? 100_000);
const RESTORED = 'bench_restaurado';
/** One of those among which it is. */
const OTHER_ID = PROVIDER_ID + 1;
/** Clients that are asked for, spread over all of them. */
const ASKED = 20;
const MIB = 2 ** 20;

/**
 * A backup of a generated database, and its restore into an empty one on the same server: there every table has as many rows and as much money,
 * and the service answers the provider's key with its clients, and another provider's with none of them.
 */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const dataset = await openProviderAmongMany(context, CLIENTS);
  const folder = join(context.scratchDir, 'backup');
  rmSync(folder, { recursive: true, force: true });
  const server = createDatabase({ url: dataset.url, pool: 1 });
  try {
    await server.raw('DROP DATABASE IF EXISTS ??', [RESTORED]);
    const [[{ bytes, linhas }]] = await server.raw(
      `SELECT SUM(data_length + index_length) AS bytes, SUM(table_rows) AS linhas
         FROM information_schema.tables WHERE table_schema = DATABASE()`,
    );
    const taking = performance.now();
    const { bytes: dumped } = await takeBackup({
      url: dataset.url,
      folder,
      now: new Date(),
      keys: { ids: [], written: null },
    });
    const taken = performance.now() - taking;
    context.log(`backup: ${round(taken / 1000)} s, ${round(dumped / MIB)} MiB`);
    const url = new URL(dataset.url);
    url.pathname = `/${RESTORED}`;
    const restoring = performance.now();
    await restoreBackup({ url: url.href, folder });
    const restored = performance.now() - restoring;
    context.log(`restaurado: ${round(restored / 1000)} s`);
    const copy: Dataset = {
      url: url.href,
      open: (pool) => createDatabase({ url: url.href, pool, announces: true }),
    };
    await compare(dataset, copy);
    await askBoth(context, copy);
    return {
      clients: CLIENTS,
      rows: Number(linhas),
      database_mib: round(Number(bytes) / MIB),
      backup_mib: round(dumped / MIB),
      backup_seconds: round(taken / 1000),
      restore_seconds: round(restored / 1000),
    };
  } finally {
    await server.raw('DROP DATABASE IF EXISTS ??', [RESTORED]);
    await server.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws Error that names what is not the same. */
async function compare(dataset: Dataset, copy: Dataset): Promise<void> {
  const [before, after] = [await sumsOf(dataset), await sumsOf(copy)];
  const other = [...before.keys(), ...after.keys()].find((table) => before.get(table) !== after.get(table));
  if (other !== undefined) throw new Error(`${other}: ${before.get(other)} → ${after.get(other)}`);
}

/** Rows of each table, and the sum of each of its columns of money. */
async function sumsOf(dataset: Dataset): Promise<Map<string, string>> {
  const db = dataset.open(1);
  try {
    const [tables] = await db.raw<{ name: string; money: string | null }[][]>(
      `SELECT t.table_name AS name,
              (SELECT GROUP_CONCAT(c.column_name ORDER BY c.column_name) FROM information_schema.columns c
                WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name AND c.data_type = 'decimal') AS money
         FROM information_schema.tables t
        WHERE t.table_schema = DATABASE() AND t.table_type = 'BASE TABLE'`,
    );
    const sums = new Map<string, string>();
    for (const { name, money } of tables ?? []) sums.set(name, await sumOf(db, name, money?.split(',') ?? []));
    return sums;
  } finally {
    await db.destroy();
  }
}

async function sumOf(db: Db, table: string, columns: readonly string[]): Promise<string> {
  const sums = columns.map(() => ', SUM(??)').join('');
  const [rows] = await db.raw<object[][]>(`SELECT COUNT(*) AS n${sums} FROM ??`, [...columns, table]);
  return JSON.stringify(rows?.[0]);
}

/** @throws Error where the provider is not told of a client, or another one is. */
async function askBoth({ children, redisUrl }: BenchContext, copy: Dataset): Promise<void> {
  const db = copy.open(1);
  const ids: number[] = [];
  let otherHost = '';
  try {
    const other = await db('provedores').where('id', OTHER_ID).first<{ panel_host: string }>('panel_host');
    otherHost = other.panel_host;
    const [[{ most }]] = await db.raw('SELECT MAX(id) AS most FROM clientes WHERE provedor_id = ?', [PROVIDER_ID]);
    for (let n = 1; n <= ASKED; n += 1) ids.push(Math.floor((Number(most) * n) / ASKED));
  } finally {
    await db.destroy();
  }
  const [own = '', others = ''] = await createKeysOf(copy, [PROVIDER_ID, OTHER_ID]);
  const { port } = await children.serve({ DATABASE_URL: copy.url, REDIS_URL: redisUrl });
  for (const id of ids) {
    for (const [key, host, expected] of [
      [own, PANEL_HOST, 200],
      [others, otherHost, 404],
    ] as const) {
      const { status, body } = await getAs(port, `/api/v1/clientes/${id}`, { 'X-API-Key': key }, host);
      if (status !== expected) throw new Error(`cliente ${id} em ${host}: ${status} ${body}`);
    }
  }
}
