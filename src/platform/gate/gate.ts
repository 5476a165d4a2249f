import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { DeadlineError, createDeadline } from '../timing/deadline.ts';
import { PULSE_SLOT, bumpsKey, windowKey } from './keys.ts';
import { createLocalWindows } from './local-windows.ts';
import { BUMP, SERVE } from './scripts.ts';
import type { Script } from './scripts.ts';

/** A counting window starts with its first request and lasts this long. */
const WINDOW_MS = 60_000;

/** A slot that has had more tags bumped than this begins a new era, or a large tenant's would fill Redis for ever. */
const LARGEST_ERA = 200_000;

/** A slot that nobody asks for is forgotten: invented keys must not fill the memory. Its next era only costs misses. */
const ERA_TTL_MS = 3_600_000;

/** A command that Redis does not answer within this long has failed: a caller is on the line. */
const DEADLINE_MS = 100;

/** How often Redis is asked for a sign of life. A write waits longer than this for its bump; see writes.ts. */
const HEARTBEAT_MS = 100;

/** Requests of one slot that share a script call, and their tags; a longer script would hold up everyone else's. */
const LARGEST_BATCH = 100;
const MOST_TAGS = 2000;

/** Tags of one call that bumps. */
const MOST_BUMPED = 500;

/** What makes more tags stale than this begins a new era: to name them all would take Redis longer than the misses cost. */
const MOST_NAMED = 20_000;

/**
 * A process that was without a sign of life for this long, whatever it was that slept, may have missed a write that was answered
 * without its bump. Less than such a write waits; see writes.ts.
 */
const TRUST_MS = 900;

/** A name that no era had before, of this process or another; most are made for nothing, so it must cost nothing. */
const ORIGIN = randomBytes(12).toString('base64url');
let eras = 0;
const newEra = (): string => `${ORIGIN}${(eras += 1).toString(36)}`;

/** A moment of a slot: its era, and how many bumps it had seen. */
export interface Moment {
  /** As this process knows it: each doubt of Redis begins another, or one that comes back with older data would count anew. */
  readonly era: string;
  readonly bumps: number;
}

/** What Redis said of some tags of a slot at one moment. */
export interface Reading extends Moment {
  /** Of each tag, in the order asked for: the number of the bump that touched it last; 0 when none of the era did. */
  readonly touched: readonly number[];
}

/** Whether none of the tags of a reading has been bumped since a moment; `from` and `to` narrow it to some of them. */
export function unchanged(since: Moment, { era, touched }: Reading, from = 0, to = touched.length): boolean {
  if (era !== since.era) return false;
  for (let i = from; i < to; i += 1) if ((touched[i] ?? Infinity) > since.bumps) return false;
  return true;
}

export interface Admission {
  /** Requests in the window, this one included. */
  readonly count: number;
  /** Milliseconds until the window restarts. */
  readonly resetMs: number;
  /** Of the tags asked for; null when Redis could not say, and nothing kept may be trusted. */
  readonly reading: Reading | null;
}

export type GateMode = 'redis' | 'local';

export interface Gate {
  /** Counts one request in a slot's window and reads tags of the same slot. Never rejects. */
  admit(slot: string, window: string, tags: readonly string[]): Promise<Admission>;
  /** Reads tags of a slot; null when Redis could not say. Never rejects. */
  read(slot: string, tags: readonly string[]): Promise<Reading | null>;
  /**
   * Makes everything that was read under these tags until now stale, in every process; null: all that was read of the slot. Rejects when
   * Redis is away.
   */
  bump(slot: string, tags: readonly string[] | null): Promise<void>;
  /** `local` while Redis is doubted. */
  readonly mode: GateMode;
  close(): void;
}

export interface GateDeps {
  readonly redis: Redis;
  /** Told when Redis stops or resumes answering. */
  readonly onMode: (mode: GateMode, reason?: Error) => void;
  /** Told how long each answer of Redis took, in milliseconds. */
  readonly onAnswer?: (ms: number) => void;
  /** Most tags of a slot's era, `LARGEST_ERA` unless a test says otherwise. */
  readonly largestEra?: number;
}

/** What Redis answers to a batch. */
type Answer = [[era?: string, bumps?: string, ...touched: (string | null)[]], ...countsAndTimes: number[]];

/** Requests of one slot that will be asked of Redis together. */
interface Batch {
  readonly slot: string;
  readonly windows: string[];
  /** Each tag that any of the requests asks for, and its place. */
  readonly tags: Map<string, number>;
  /** Told what Redis answered, and the moment's era; null where what it says of tags is of none. */
  readonly waiting: ((answer: Answer | undefined, era: string | null) => void)[];
}

export function createGate({ redis, onMode, onAnswer, largestEra = LARGEST_ERA }: GateDeps): Gate {
  const local = createLocalWindows(WINDOW_MS);
  const deadline = createDeadline(DEADLINE_MS);
  let mode: GateMode = 'redis';
  /** How often Redis has been doubted: nothing read before a doubt says anything of what was written after it. */
  let doubts = 0;
  /** When the latest command that Redis has answered was sent: it was alive then or later. */
  let heard: number | undefined;

  function enter(next: GateMode, reason?: Error): void {
    if (next === mode) return;
    mode = next;
    if (next === 'local') doubts += 1;
    onMode(next, reason);
  }

  async function run({ text, sha }: Script, keys: readonly string[], args: readonly (string | number)[]) {
    try {
      return await redis.evalsha(sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return redis.eval(text, keys.length, ...keys, ...args);
    }
  }

  /** Runs a command of Redis; undefined, and local mode, when it fails. */
  async function attempt<T>(command: () => Promise<T>): Promise<T | undefined> {
    const sent = performance.now();
    try {
      const answer = await deadline.watch(command());
      onAnswer?.(performance.now() - sent);
      // Frozen together, neither of the two notices a deadline: what was kept is doubted by the clock.
      const silence = heard === undefined ? 0 : performance.now() - heard;
      heard = Math.max(heard ?? 0, sent);
      if (silence > TRUST_MS && mode === 'redis') {
        enter('local', new Error(`no sign of life for ${Math.round(silence)} ms`));
        enter('redis');
      }
      return answer;
    } catch (error) {
      const late = mode === 'redis' && error instanceof DeadlineError;
      enter('local', error instanceof Error ? error : new Error(String(error)));
      // It may only have been a busy moment: asked at once, not at the next heartbeat.
      if (late) void beat();
      return undefined;
    }
  }

  let heartbeat: NodeJS.Timeout | undefined;

  /**
   * Writes as a bump does: a Redis that is read-only, full or cannot save still reads, and a write there would be answered without its
   * bump. Nothing else ends a doubt, and nothing else is asked meanwhile.
   */
  async function beat(): Promise<void> {
    const answer = await attempt(async () => run(BUMP, [bumpsKey(PULSE_SLOT)], [newEra(), ERA_TTL_MS, largestEra]));
    if (answer !== undefined) enter('redis');
  }

  async function serve({ slot, windows, tags, waiting }: Batch): Promise<void> {
    const keys = [bumpsKey(slot), ...windows];
    const before = doubts;
    const ask = async () => run(SERVE, keys, [WINDOW_MS, newEra(), ERA_TTL_MS, ...tags.keys()]);
    const answer = mode === 'local' ? undefined : ((await attempt(ask)) as Answer | undefined);
    // What was asked before a doubt and answered after it is of neither era.
    const era = doubts === before && answer !== undefined ? `${doubts} ${answer[0][0] ?? ''}` : null;
    for (const answered of waiting) answered(answer, era);
  }

  let batches = new Map<string, Batch>();
  function flush(): void {
    const ready = batches;
    batches = new Map();
    for (const batch of ready.values()) void serve(batch);
  }

  /** The slot's batch of this turn, with room for another request. */
  function batchOf(slot: string): Batch {
    if (batches.size === 0) setImmediate(flush);
    const open = batches.get(slot);
    if (open !== undefined && open.waiting.length < LARGEST_BATCH && open.tags.size < MOST_TAGS) return open;
    if (open !== undefined) void serve(open);
    const batch: Batch = { slot, windows: [], tags: new Map(), waiting: [] };
    batches.set(slot, batch);
    return batch;
  }

  /** Puts tags into a batch, and finds them again in its answer. */
  function askFor(batch: Batch, names: readonly string[]): Promise<{ answer?: Answer; reading: Reading | null }> {
    const places = names.map((name) => {
      let place = batch.tags.get(name);
      if (place === undefined) batch.tags.set(name, (place = batch.tags.size));
      return place;
    });
    return new Promise((resolve) => {
      batch.waiting.push((answer, era) => {
        if (answer === undefined) return resolve({ reading: null });
        if (era === null) return resolve({ answer, reading: null });
        const [marks] = answer;
        const touched = places.map((place) => Number(marks[place + 2] ?? 0));
        return resolve({ answer, reading: { era, bumps: Number(marks[1] ?? 0), touched } });
      });
    });
  }

  // A connection that ends between two requests, and a Redis that stalls while nobody asks, must be noticed too.
  const onClose = (): void => {
    // An attempt to connect that fails closes, too: what was never up has not gone away.
    if (heartbeat !== undefined) enter('local', new Error('connection closed'));
  };
  redis.on('close', onClose);
  const onReady = (): void => {
    void beat();
    heartbeat ??= setInterval(() => void beat(), HEARTBEAT_MS).unref();
  };
  if (redis.status === 'ready') onReady();
  redis.on('ready', onReady);

  return {
    async admit(slot, window, tags) {
      const batch = batchOf(slot);
      const counted = windowKey(slot, window);
      const place = 2 * batch.windows.push(counted) - 1;
      const { answer, reading } = await askFor(batch, tags);
      // Without Redis a limit holds per process, from what Redis last said: an answer matters more than an exact count.
      if (answer === undefined) return { ...local.count(counted), reading: null };
      const count = Number(answer[place]);
      const resetMs = Number(answer[place + 1]);
      local.saw(counted, count, resetMs);
      return { count, resetMs, reading };
    },

    async read(slot, tags) {
      return (await askFor(batchOf(slot), tags)).reading;
    },

    async bump(slot, tags) {
      if (tags === null || tags.length > MOST_NAMED) {
        // Whoever asks next begins another era, later than all that was committed before this.
        await deadline.watch(redis.unlink(bumpsKey(slot)));
        return;
      }
      // One after the other: what others ask comes in between.
      let from = 0;
      do {
        const some = tags.slice(from, (from += MOST_BUMPED));
        await deadline.watch(run(BUMP, [bumpsKey(slot)], [newEra(), ERA_TTL_MS, largestEra, ...some]));
      } while (from < tags.length);
    },

    get mode() {
      return mode;
    },

    close() {
      clearInterval(heartbeat);
      redis.off('ready', onReady).off('close', onClose);
      deadline.close();
    },
  };
}
