import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/platform/mysql/database.ts';

const BUFFER_POOL_BYTES = 2 ** 30;

/** Gives MySQL the memory that a server of that many rows has: with the embedded 256 MiB, all sides would measure the disk. */
export async function keepInMemory(db: Db, bytes = BUFFER_POOL_BYTES): Promise<void> {
  await db.raw('SET GLOBAL innodb_buffer_pool_size = ?', [bytes]);
}

/** Reads indexes whole, so that no place of a list is on the disk while another is in memory. */
export async function load(db: Db, indexes: Readonly<Record<string, readonly string[]>>): Promise<void> {
  for (const [table, names] of Object.entries(indexes)) {
    for (const name of names) await db.raw('SELECT COUNT(*) FROM ?? FORCE INDEX (??)', [table, name]);
  }
}

/** Transactions whose old versions of rows may be left. */
const LEFT = 100;

/** Resolves once InnoDB has cleared away the old versions of what was changed before: nobody shall run beside another's cleaning. */
export async function settle(db: Db): Promise<void> {
  for (;;) {
    const [rows] = await db.raw<{ Status: string }[][]>('SHOW ENGINE INNODB STATUS');
    if (Number(/History list length (\d+)/.exec(rows?.[0]?.Status ?? '')?.[1] ?? 0) <= LEFT) return;
    await sleep(100);
  }
}
