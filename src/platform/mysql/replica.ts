import { setTimeout as sleep } from 'node:timers/promises';
import { columns, expressions, rowsOf } from './columns.ts';
import { fromDatabaseTime } from './database.ts';
import type { Db } from './database.ts';
import { createDeadline } from '../timing/deadline.ts';
import { repeat } from '../timing/repeater.ts';

const BEAT_MS = 1000;
const DEADLINE_MS = 1000;
/** A replica that was not heard of for so long is not asked, whatever it said last. */
const SILENCE_MS = 4000;

const HEARTBEAT =
  'INSERT INTO replica_batimento (id, em) VALUES (1, UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE em = UTC_TIMESTAMP(3)';

const BEAT = columns<{ em: string }>('replica_batimento', { em: true });
// Not `lag`, which is a word of MySQL's own.
const LAG = expressions<{ lag_ms: string }>({ lag_ms: 'TIMESTAMPDIFF(MICROSECOND, em, UTC_TIMESTAMP(6)) / 1000' });

/** A server to read a snapshot from. */
export interface SnapshotSource {
  readonly db: Db;
  /** The instant by which all that was committed is in a snapshot, which was begun after `before` by this machine's clock. */
  readonly asOf: (snapshot: Db, before: Date) => Promise<Date>;
}

/** What is committed on the primary is seen there at once. */
export const snapshotsOfPrimary = (db: Db): SnapshotSource => ({ db, asOf: async (_snapshot, before) => before });

/** Where the replica stands, for those who watch. */
type ReplicaState = 'none' | 'used' | 'behind';

export interface ReplicaDeps {
  readonly primary: Db;
  /** Null where there is none. */
  readonly replica: Db | null;
  /** How far behind it may be. */
  readonly maxLagMs: number;
  /** Told when it begins and ceases to be asked, and how far behind it is; null when that is not known, and why, if it did not answer. */
  readonly onState: (state: ReplicaState, lagMs: number | null, failure: unknown) => void;
  /** Told of what the replica failed at and the primary was then asked for. */
  readonly onFailure: (error: unknown) => void;
}

/** Reads on the server it is given, and may be begun anew on another. */
type Read<T> = (db: Db, isReplica: boolean) => Promise<T>;

/**
 * Chooses who answers what may be as old as a replica's lag: the replica while it is known to keep up, else the primary.
 *
 * The lag is measured by a row that is written on the primary and read on the replica: what a replica says of itself is null or zero
 * when its connection to the primary is what is broken. The two servers' clocks must agree, as everyone's should (NTP).
 */
export function createReplica({ primary, replica, maxLagMs, onState, onFailure }: ReplicaDeps) {
  const ofPrimary = snapshotsOfPrimary(primary);
  const readPrimary = async <T>(query: Read<T>): Promise<T> => query(primary, false);
  if (replica === null) return { snapshots: () => ofPrimary, read: readPrimary, close: async () => {} };
  const ofReplica: SnapshotSource = { db: replica, asOf: heartbeatIn };
  const deadline = createDeadline(DEADLINE_MS);
  let heardAt = Number.NEGATIVE_INFINITY;
  let lagMs = Number.POSITIVE_INFINITY;
  let state: ReplicaState = 'none';

  const keepsUp = (): boolean => lagMs <= maxLagMs && performance.now() - heardAt < SILENCE_MS;

  async function measure(on: Db): Promise<void> {
    let failure: unknown;
    try {
      // The primary's silence is its readers' matter; how old the last beat is says what there is to know.
      await deadline.watch(primary.raw(HEARTBEAT)).catch(() => {});
      const [row] = await deadline.watch(rowsOf(on('replica_batimento').where('id', 1), LAG));
      lagMs = row === undefined ? Number.POSITIVE_INFINITY : Number(row.lag_ms);
      heardAt = performance.now();
    } catch (error) {
      lagMs = Number.POSITIVE_INFINITY;
      failure = error;
    }
    const next = keepsUp() ? 'used' : 'behind';
    if (next !== state) onState(next, Number.isFinite(lagMs) ? Math.round(lagMs) : null, failure);
    state = next;
  }

  const beats = repeat(
    async () => {
      await measure(replica);
      return { more: false };
    },
    { intervalMs: BEAT_MS, onError: () => {} },
  );

  return {
    snapshots: () => (keepsUp() ? ofReplica : ofPrimary),

    /** What the replica fails at, the primary is asked for: that it died, or has not heard of a migration, is no matter of the reader's. */
    async read<T>(query: Read<T>): Promise<T> {
      if (keepsUp()) {
        try {
          return await query(replica, true);
        } catch (error) {
          if (!isOfServer(error)) throw error;
          onFailure(error);
        }
      }
      return readPrimary(query);
    },

    async close() {
      // A beat under way ends by its deadline.
      await Promise.race([beats.stop(), sleep(2 * DEADLINE_MS)]);
      deadline.close();
      await replica.destroy();
    },
  };
}

/**
 * mysql2 gives what a server answers with, or the way to it, a code, or says that it is fatal. A refusal or an error of ours has neither, nor
 * has knex's of a read that took too long, for whose caller it is too late.
 */
function isOfServer(error: unknown): boolean {
  return error instanceof Error && ('code' in error || 'fatal' in error);
}

/** A replica commits in the order of the primary: what was committed there before a heartbeat is seen wherever the heartbeat is. */
async function heartbeatIn(snapshot: Db): Promise<Date> {
  const [beat] = await rowsOf(snapshot('replica_batimento').where('id', 1), BEAT);
  if (beat === undefined) throw new Error('the replica has no heartbeat');
  return fromDatabaseTime(beat.em);
}
