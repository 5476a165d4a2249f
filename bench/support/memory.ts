import type { Db } from '../../src/platform/database.ts';

const BUFFER_POOL_BYTES = 2 ** 30;

/** Gives MySQL the memory that a server of that many rows has: with the embedded 256 MiB, all sides would measure the disk. */
export async function keepInMemory(db: Db): Promise<void> {
  await db.raw('SET GLOBAL innodb_buffer_pool_size = ?', [BUFFER_POOL_BYTES]);
}
