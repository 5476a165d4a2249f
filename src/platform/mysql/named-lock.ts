import { expressions, rowsOfSql } from './columns.ts';
import type { Db } from './database.ts';

const FULL_NAME = `CONCAT(?, ':', LEFT(SHA2(DATABASE(), 256), 48))`;
const OBTAINED = expressions<{ obtained: number | null }>({ obtained: `GET_LOCK(${FULL_NAME}, ?)` });

/**
 * Does `work` while the connection of `holder` holds a named lock of the server, which ends with its connection: a
 * process that dies half-way keeps nobody out. The lock is given up before the commit: whoever is next may still have to
 * wait for the rows, but no longer than a commit takes.
 *
 * @param holder - a transaction: only that stays on one connection.
 * @param name - of at most 15 characters. Named locks are shared by all databases of a server, so this one's is added,
 * as a digest: they may have 64. Not by MD5 or SHA1, which MySQL no longer has by itself since 9.6.
 * @throws Error with `late` as its message, when another held it for all of `waitSeconds`.
 */
export async function withNamedLock<T>(
  holder: Db,
  { name, waitSeconds, late }: { name: string; waitSeconds: number; late: string },
  work: () => Promise<T>,
): Promise<T> {
  const [row] = await rowsOfSql(holder, OBTAINED, (list) => `SELECT ${list}`, [name, waitSeconds]);
  if (row?.obtained !== 1) throw new Error(late);
  try {
    return await work();
  } finally {
    await holder.raw(`SELECT RELEASE_LOCK(${FULL_NAME})`, [name]);
  }
}
