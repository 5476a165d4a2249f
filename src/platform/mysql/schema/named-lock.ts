import { expressions, rowsOfSql } from '../columns.ts';
import type { Db } from '../database.ts';

const FULL_NAME = `CONCAT(?, ':', LEFT(SHA2(DATABASE(), 256), 48))`;
const OBTAINED = expressions<{ obtained: number | null }>({ obtained: `GET_LOCK(${FULL_NAME}, ?)` });

/**
 * Does `work` while the connection of `holder` holds a named lock of the server: how processes of the release before
 * kept each other out, of which one may still run. Among those of this one a lease does that, since each server of a
 * cluster has its own named locks. The lock ends with its connection, so a process that dies half-way does not block
 * others. It is released before the commit: the next holder may still have to wait for the rows, but no longer than a
 * commit takes.
 *
 * @param holder - a transaction, because only a transaction stays on one connection.
 * @param name - of at most 15 characters. All databases of a server share the named locks, and a name may have 64
 * characters, so a digest of this database's name is added. MD5 and SHA1 are not used: MySQL 9.6 has neither built in.
 * @throws Error with `late` as its message, when another connection held the lock for all of `waitSeconds`.
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
