import { setTimeout as sleep } from 'node:timers/promises';
import { DuplicateRow } from '../refusal.ts';

/** How often a transaction is tried when it meets the locks of others, and the longest pause before the second try. */
const TRIES = 5;
const RETRY_MS = 20;

/** How long a transaction is tried while no server takes writes, and the pause between two tries. */
const ELECTION_MS = 3000;
const ELECTION_RETRY_MS = 200;

/**
 * Deadlock found, and lock wait timeout exceeded: InnoDB's words for "try again". The first is also what a cluster says of a transaction that
 * another server's came before, and 3101 the same of Group Replication.
 */
const LOCK_ERRORS = [1213, 1205, 3101];

/**
 * A server that is read-only (1290, 1836), or that the rest of its cluster has not taken in (1047): nothing was written there. An error of
 * the COMMIT itself (1180, 3100, a connection that ended) is none of these: others may have the transaction, and it would be done twice.
 */
const NO_WRITER_ERRORS = [1290, 1836, 1047];

/** A server that is being stopped (1053), and a statement that somebody else has ended (1317). */
const STOPPED_ERRORS = [1053, 1317];

/** Whether a statement failed because of another transaction's locks. */
export function isLockError(error: unknown): boolean {
  return LOCK_ERRORS.includes(errnoOf(error));
}

/** Whether a statement failed because its server takes no writes now. */
export function hasNoWriter(error: unknown): boolean {
  return NO_WRITER_ERRORS.includes(errnoOf(error));
}

/**
 * Whether a statement failed by what passes without anybody's doing: locks, a server that takes no writes or is being stopped, a statement that
 * was ended from outside, a connection that was lost, or one that could not be had.
 */
export function isPassing(error: unknown): boolean {
  if (isLockError(error) || hasNoWriter(error) || STOPPED_ERRORS.includes(errnoOf(error))) return true;
  return error instanceof Error && (error.name === 'KnexTimeoutError' || ('fatal' in error && error.fatal === true));
}

/**
 * Runs a write again from its beginning when it lost against the locks of another transaction, when another one has
 * inserted the row that it will now find, or while a cluster elects who takes writes. Before each new try it waits for a random time.
 */
export async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  let tried = 1;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (hasNoWriter(error)) {
        if (performance.now() - begun > ELECTION_MS) throw error;
        await sleep(ELECTION_RETRY_MS * (0.5 + Math.random()));
        continue;
      }
      if (tried === TRIES || !(isLockError(error) || isFoundAgain(error))) throw error;
      await sleep(Math.random() * RETRY_MS * 2 ** (tried - 1));
      tried += 1;
    }
  }
}

const isFoundAgain = (error: unknown): boolean => error instanceof DuplicateRow && error.soughtBefore;

function errnoOf(error: unknown): number {
  return error instanceof Error && 'errno' in error ? Number(error.errno) : NaN;
}
