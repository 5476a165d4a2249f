import { setTimeout as sleep } from 'node:timers/promises';
import { columns, expressions, rowsOf } from './columns.ts';
import { fromDatabaseTime } from './database.ts';
import type { Db } from './database.ts';
import { createDeadline } from '../timing/deadline.ts';
import { repeat } from '../timing/repeater.ts';

const BEAT_MS = 1000;
const DEADLINE_MS = 1000;
/** A replica that has not answered for this time is not used, whatever it answered last. */
const SILENCE_MS = 4000;

const HEARTBEAT =
  'INSERT INTO replica_batimento (id, em) VALUES (1, UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE em = UTC_TIMESTAMP(3)';

const BEAT = columns<{ em: string }>('replica_batimento', { em: true });
// The column is not called `lag`, because that is a reserved word in MySQL.
const LAG = expressions<{ lag_ms: string }>({ lag_ms: 'TIMESTAMPDIFF(MICROSECOND, em, UTC_TIMESTAMP(6)) / 1000' });

/** A server on which a snapshot can be read. */
export interface SnapshotSource {
  readonly db: Db;
  /**
   * Resolves to an instant such that everything committed until then is in the snapshot. `before` is the time, by this
   * machine's clock, before the snapshot began.
   */
  readonly asOf: (snapshot: Db, before: Date) => Promise<Date>;
}

/** Snapshots of the primary, where a committed row is visible at once. */
export const snapshotsOfPrimary = (db: Db): SnapshotSource => ({ db, asOf: async (_snapshot, before) => before });

/** Whether the replica is used. */
type ReplicaState = 'none' | 'used' | 'behind';

export interface ReplicaDeps {
  readonly primary: Db;
  /** Null when there is no replica. */
  readonly replica: Db | null;
  /** How many milliseconds the replica may be behind. */
  readonly maxLagMs: number;
  /**
   * Called when the replica begins or ceases to be used. The lag is null when unknown; `failure` says why, if there was
   * an error.
   */
  readonly onState: (state: ReplicaState, lagMs: number | null, failure: unknown) => void;
  /** Called with the error of a read that failed on the replica and is then run on the primary. */
  readonly onFailure: (error: unknown) => void;
}

/** Reads on the given server. It may be called again with the other server. */
type Read<T> = (db: Db, isReplica: boolean) => Promise<T>;

/**
 * Chooses the server for reads that may be as old as the replica's lag: the replica while it keeps up, else the
 * primary.
 *
 * The lag is measured with a row that is written on the primary and read on the replica. What a replica itself reports
 * is null or zero when its connection to the primary is broken. The clocks of the two servers must agree (NTP).
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
      // A failure of the primary is ignored here: its readers notice it, and the age of the last beat gives the lag.
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

    /**
     * Reads on the replica or on the primary. When the replica fails, or lacks a migration, the primary is asked
     * instead.
     */
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
      // A beat that is under way ends by its deadline.
      await Promise.race([beats.stop(), sleep(2 * DEADLINE_MS)]);
      deadline.close();
      await replica.destroy();
    },
  };
}

/**
 * Whether an error came from the server or from the connection to it: then mysql2 sets `code` or `fatal`. Our own
 * errors have neither. knex's error of a read that took too long has neither, too: its caller has given up, so it is
 * not repeated.
 */
function isOfServer(error: unknown): boolean {
  return error instanceof Error && ('code' in error || 'fatal' in error);
}

/**
 * A replica commits in the order of the primary. So a snapshot that holds a heartbeat holds everything committed before
 * it.
 */
async function heartbeatIn(snapshot: Db): Promise<Date> {
  const [beat] = await rowsOf(snapshot('replica_batimento').where('id', 1), BEAT);
  if (beat === undefined) throw new Error('the replica has no heartbeat');
  return fromDatabaseTime(beat.em);
}
