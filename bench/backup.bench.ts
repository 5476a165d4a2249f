import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { restoreBackup } from '../src/app/backup/restore.ts';
import { takeBackup } from '../src/app/backup/take.ts';
import { createDatabase } from '../src/platform/mysql/database.ts';
import { openDataset } from './data/dataset.ts';
import type { BenchContext } from './support/bench.ts';
import { round } from './support/stats.ts';

const CLIENTS = 100_000;
const RESTORED = 'bench_restaurado';
const MIB = 2 ** 20;

/** A backup of a generated database, and its restore into an empty one on the same server. */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const dataset = await openDataset(context, CLIENTS);
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
