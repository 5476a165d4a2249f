import { randomBytes } from 'node:crypto';
import type { RedisConnection } from '../redis/redis.ts';
import { createDeadline } from '../timing/deadline.ts';
import { bumpsKey, windowKey } from './keys.ts';
import type { TagState } from './moment.ts';
import { createLocalWindows } from './local-windows.ts';
import { BUMP, SERVE, SERVE_LOOKING, runScript } from './scripts.ts';
import type { LookCall, Looked, Script } from './scripts.ts';
import { createShards } from './shards.ts';
import type { GateMode } from './shards.ts';

export type { GateMode } from './shards.ts';

/** A counting window starts with its first request and lasts this long. */
const WINDOW_MS = 60_000;

/** A slot in which more tags than this were bumped begins a new era; else a large tenant's tags would fill Redis. */
const LARGEST_ERA = 200_000;

/**
 * A slot that nobody uses for this time is forgotten, so that Redis does not fill up. Its next era only costs misses.
 */
const ERA_TTL_MS = 3_600_000;

/** A command that Redis does not answer within this time has failed, because a caller waits for it. */
const DEADLINE_MS = 100;

/**
 * The most requests of one slot, and the most tags, that share one script call. A longer script would delay all others.
 */
const LARGEST_BATCH = 100;
const MOST_TAGS = 2000;

/** The most tags that one call bumps. */
const MOST_BUMPED = 500;

/** A write that touches more tags than this begins a new era: naming them all would cost more than the misses. */
const MOST_NAMED = 20_000;

/**
 * A process that heard nothing from Redis for this time, because either of them was frozen, may have missed a write
 * that was answered without its bump. It is shorter than the time that such a write waits; see writes.ts.
 */
const TRUST_MS = 900;

/**
 * Makes a name that no era of any process had before. Most of these names are never used, so making one must be cheap.
 */
const ORIGIN = randomBytes(12).toString('base64url');
let eras = 0;
const newEra = (): string => `${ORIGIN}${(eras += 1).toString(36)}`;

export interface Admission {
  /** Requests in the window, this one included. */
  readonly count: number;
  /** Milliseconds until the window restarts. */
  readonly resetMs: number;
  /** The state of the tags asked for; null when Redis did not answer, and nothing that is kept may be used. */
  readonly tagState: TagState | null;
  /** What came of the look that was counted with it; null when none was. */
  readonly looked: Looked | null;
}

export interface Gate {
  /** Counts one request in a slot's window, and a look of who makes it, and reads tags of the same slot. Never rejects. */
  admit(slot: string, window: string, tags: readonly string[], look?: LookCall | null): Promise<Admission>;
  /** Reads tags of a slot; null when Redis did not answer. Never rejects. */
  read(slot: string, tags: readonly string[]): Promise<TagState | null>;
  /**
   * Makes everything that any process has read under these tags until now stale; with null, everything that was read of
   * the slot. Rejects when Redis is away.
   */
  bump(slot: string, tags: readonly string[] | null): Promise<void>;
  /** `local` while the server of a slot is doubted. */
  modeOf(slot: string): GateMode;
  /** `local` while any server is doubted. */
  readonly mode: GateMode;
  close(): void;
}

export interface GateDeps {
  readonly redis: RedisConnection;
  /** Called when Redis stops or resumes answering; `server` is the address of the one of a Cluster that does. */
  readonly onMode: (mode: GateMode, reason?: Error, server?: string) => void;
  /** Called with the milliseconds that each answer of Redis took. */
  readonly onAnswer?: (ms: number) => void;
  /** Called for each request that is counted, with its slot. */
  readonly onAdmit?: (slot: string) => void;
  /** The most tags in an era of a slot. Tests set it; else it is `LARGEST_ERA`. */
  readonly largestEra?: number;
  /** How late Redis may be and how long silent, in milliseconds. Tests of something else set them. */
  readonly deadlineMs?: number;
  readonly trustMs?: number;
}

/** What Redis answers to a batch. */
type Answer = [[era?: string, bumps?: string, ...touched: (string | null)[]], ...countsAndTimes: number[]];

/** Requests of one slot that go to Redis in one call. */
interface Batch {
  readonly slot: string;
  readonly windows: string[];
  /** Each tag that any of the requests asks for, and its place in the call. */
  readonly tags: Map<string, number>;
  /**
   * Called with what Redis answered and the era of the answer. The era is null when what it says about tags must not be
   * used.
   */
  readonly waiting: ((answer: Answer | undefined, era: string | null) => void)[];
  /** Of a batch of one request alone. */
  readonly look: LookCall | null;
}

const newBatch = (slot: string, look: LookCall | null): Batch => ({
  slot,
  windows: [],
  tags: new Map(),
  waiting: [],
  look,
});

export function createGate({
  redis,
  onMode,
  onAnswer,
  onAdmit,
  largestEra = LARGEST_ERA,
  deadlineMs = DEADLINE_MS,
  trustMs = TRUST_MS,
}: GateDeps): Gate {
  const local = createLocalWindows(WINDOW_MS);
  const deadline = createDeadline(deadlineMs);
  const run = async (script: Script, keys: readonly string[], args: readonly (string | number)[]) =>
    runScript(redis, script, keys, args);

  const shards = createShards({
    redis,
    onMode,
    onAnswer,
    deadlineMs,
    trustMs,
    // A Redis that is read-only, full or cannot save still answers reads, but could not take the bump of a write.
    pulse: async (slot) => run(BUMP, [bumpsKey(slot)], [newEra(), ERA_TTL_MS, largestEra]),
  });

  async function serve({ slot, windows, tags, waiting, look }: Batch): Promise<void> {
    const shard = shards.of(slot);
    const before = shard.doubts;
    const ask = async () =>
      run(
        look === null ? SERVE : SERVE_LOOKING,
        [bumpsKey(slot), ...windows, ...(look?.keys ?? [])],
        [WINDOW_MS, newEra(), ERA_TTL_MS, ...(look?.args ?? []), ...tags.keys()],
      );
    const answer = shard.mode === 'local' ? undefined : ((await shard.attempt(ask)) as Answer | undefined);
    // An answer that was asked for before a doubt and came after it belongs to neither era.
    const era = shard.doubts === before && answer !== undefined ? `${before} ${answer[0][0] ?? ''}` : null;
    for (const answered of waiting) answered(answer, era);
  }

  let batches = new Map<string, Batch>();
  function flush(): void {
    const ready = batches;
    batches = new Map();
    for (const batch of ready.values()) void serve(batch);
  }

  /** The slot's batch of this turn of the event loop, with room for another request. */
  function batchOf(slot: string): Batch {
    if (batches.size === 0) setImmediate(flush);
    const open = batches.get(slot);
    if (open !== undefined && open.waiting.length < LARGEST_BATCH && open.tags.size < MOST_TAGS) return open;
    if (open !== undefined) void serve(open);
    const batch = newBatch(slot, null);
    batches.set(slot, batch);
    return batch;
  }

  /** Adds tags to a batch, and resolves to their state once the batch is answered. */
  function askFor(batch: Batch, names: readonly string[]): Promise<{ answer?: Answer; tagState: TagState | null }> {
    const places = names.map((name) => {
      let place = batch.tags.get(name);
      if (place === undefined) batch.tags.set(name, (place = batch.tags.size));
      return place;
    });
    return new Promise((resolve) => {
      batch.waiting.push((answer, era) => {
        if (answer === undefined) return resolve({ tagState: null });
        if (era === null) return resolve({ answer, tagState: null });
        const [marks] = answer;
        const touched = places.map((place) => Number(marks[place + 2] ?? 0));
        return resolve({ answer, tagState: { era, bumps: Number(marks[1] ?? 0), touched } });
      });
    });
  }

  return {
    async admit(slot, window, tags, look = null) {
      onAdmit?.(slot);
      const batch = look === null ? batchOf(slot) : newBatch(slot, look);
      const counted = windowKey(slot, window);
      const place = 2 * batch.windows.push(counted) - 1;
      const asked = askFor(batch, tags);
      if (look !== null) void serve(batch);
      const { answer, tagState } = await asked;
      // Without Redis each process counts for itself, beginning with what Redis last said. Answering matters more than
      // an exact count.
      if (answer === undefined) return { ...local.count(counted), tagState: null, looked: null };
      const count = Number(answer[place]);
      const resetMs = Number(answer[place + 1]);
      local.saw(counted, count, resetMs);
      const looked = look === null ? null : { allowed: answer[3] === 1, waitMs: Number(answer[4]) };
      return { count, resetMs, tagState, looked };
    },

    async read(slot, tags) {
      return (await askFor(batchOf(slot), tags)).tagState;
    },

    async bump(slot, tags) {
      if (tags === null || tags.length > MOST_NAMED) {
        // The next request begins another era, after everything that was committed until now.
        await deadline.watch(redis.unlink(bumpsKey(slot)));
        return;
      }
      // One call after the other, so that Redis answers other commands in between.
      let from = 0;
      do {
        const some = tags.slice(from, (from += MOST_BUMPED));
        await deadline.watch(run(BUMP, [bumpsKey(slot)], [newEra(), ERA_TTL_MS, largestEra, ...some]));
      } while (from < tags.length);
    },

    modeOf: (slot) => shards.of(slot).mode,

    get mode() {
      return shards.mode;
    },

    close() {
      shards.close();
      deadline.close();
    },
  };
}
