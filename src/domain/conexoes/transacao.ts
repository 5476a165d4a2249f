import type { Db } from '../../platform/mysql/database.ts';
import { isLockError } from '../../platform/mysql/writes.ts';

/** Times that a transaction which lost a deadlock or waited too long for a lock is tried. */
const TENTATIVAS = 4;

/** Work of all providers that takes what nobody else holds: see `createAgregacaoQueries` for the isolation. */
export async function emTransacao<T>(db: Db, fazer: (trx: Db) => Promise<T>): Promise<T> {
  for (let tentativa = 1; ; tentativa++) {
    try {
      return await db.transaction(fazer, { isolationLevel: 'read committed' });
    } catch (error) {
      if (tentativa === TENTATIVAS || !isLockError(error)) throw error;
    }
  }
}
