import type { Db } from '../database.ts';
import { isLockError } from '../conflicts.ts';

/** Times that a transaction which lost a deadlock or waited too long for a lock is tried. */
const TRIES = 4;

/**
 * Work of all tenants that takes from a queue what nobody else holds, in READ COMMITTED: each statement sees what was committed before it,
 * and a scan leaves no gap locks for which those who fill the queue would have to wait.
 */
export async function inQueueTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await db.transaction(work, { isolationLevel: 'read committed' });
    } catch (error) {
      if (tried === TRIES || !isLockError(error)) throw error;
    }
  }
}
