import { createHash, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { createDeadline } from './deadline.ts';
import { versionKey, windowKey } from './keys.ts';

/** A counting window starts with its first request and lasts this long. */
const WINDOW_MS = 60_000;

/** A bumped version is forgotten by Redis a day later; a forgotten version only costs a miss. */
const VERSION_TTL_MS = 86_400_000;

/** A version that was only asked for goes sooner: invented keys must not fill the memory. */
const SEED_TTL_MS = 600_000;

/** A command that Redis does not answer within this long has failed: a caller is on the line. */
const DEADLINE_MS = 100;

/** How often Redis is asked for a sign of life. A write waits longer than this for its bump; see writes.ts. */
const HEARTBEAT_MS = 100;

/** Requests of one slot that share a script call; a longer script would hold up everyone else's. */
const LARGEST_BATCH = 100;

/**
 * A process that was without a sign of life for this long, whatever it was that slept, may have missed a write that was answered
 * without its bump. Less than such a write waits; see writes.ts.
 */
const TRUST_MS = 900;

/**
 * Serves the requests of one slot that came in the same turn of the event loop, each by itself: reads every version it asks
 * for and counts it in its window. A version that Redis does not hold is seeded with a value nobody can have seen before,
 * so a flushed Redis makes misses and never a stale hit.
 *
 * KEYS: of each request, window, version… · ARGV: window ms, seed TTL ms, seed, then of each request the number of
 * its versions, negative to count nothing · returns of each request a text: count, ms left, version…
 */
export const GATE_SCRIPT = `
local answers, at = {}, 1
for r = 4, #ARGV do
  local wanted = tonumber(ARGV[r])
  local count, left = 0, 0
  if wanted >= 0 then
    count = redis.call('INCR', KEYS[at])
    left = redis.call('PTTL', KEYS[at])
    if left < 0 then
      redis.call('PEXPIRE', KEYS[at], ARGV[1])
      left = tonumber(ARGV[1])
    end
  end
  local last = at + math.abs(wanted)
  local answer = { count, left }
  if last > at then
    local versions = redis.call('MGET', unpack(KEYS, at + 1, last))
    for i, version in ipairs(versions) do
      if not version then
        version = ARGV[3] .. (at + i)
        redis.call('SET', KEYS[at + i], version, 'PX', ARGV[2])
      end
      answer[i + 2] = version
    end
  end
  answers[r - 3] = table.concat(answer, ' ')
  at = last + 1
end
return answers`;
export const GATE_SCRIPT_SHA = createHash('sha1').update(GATE_SCRIPT).digest('hex');

export interface Admission {
  /** Requests in the window, this one included. */
  readonly count: number;
  /** Milliseconds until the window restarts. */
  readonly resetMs: number;
  /** Current versions, in the order asked for; null when Redis could not say, and nothing cached may be trusted. */
  readonly versions: readonly string[] | null;
}

export type GateMode = 'redis' | 'local';

export interface Gate {
  /** Counts one request in a slot's window and reads versions of the same slot. Never rejects. */
  admit(slot: string, window: string, versions: readonly string[]): Promise<Admission>;
  /** Current versions of a slot, or null when Redis could not say. Never rejects. */
  versions(slot: string, names: readonly string[]): Promise<readonly string[] | null>;
  /** Makes everything that was read under these versions stale, in every process. Rejects when Redis is away. */
  bump(slot: string, names: readonly string[]): Promise<void>;
  close(): void;
}

export interface GateDeps {
  readonly redis: Redis;
  /** Told when Redis stops or resumes answering; what was cached before a stop must not be trusted after it. */
  readonly onMode: (mode: GateMode, reason?: Error) => void;
  /** Told how long each answer of Redis took, in milliseconds. */
  readonly onAnswer?: (ms: number) => void;
}

/** Requests of one slot that will be asked of Redis together. */
interface Batch {
  readonly keys: string[];
  /** Of each request, as the script takes it. */
  readonly wanted: number[];
  readonly waiting: ((answer: string[] | undefined) => void)[];
}

export function createGate({ redis, onMode, onAnswer }: GateDeps): Gate {
  const local = createLocalWindows();
  const deadline = createDeadline(DEADLINE_MS);
  let mode: GateMode = 'redis';
  /** When the latest command that Redis has answered was sent: it was alive then or later. */
  let heard: number | undefined;

  function enter(next: GateMode, reason?: Error): void {
    if (next === mode) return;
    mode = next;
    onMode(next, reason);
  }

  async function run({ keys, wanted }: Batch): Promise<string[]> {
    const args = [...keys, WINDOW_MS, SEED_TTL_MS, randomUUID(), ...wanted];
    try {
      return (await redis.evalsha(GATE_SCRIPT_SHA, keys.length, ...args)) as string[];
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return (await redis.eval(GATE_SCRIPT, keys.length, ...args)) as string[];
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
      if (silence > TRUST_MS) enter('local', new Error(`no sign of life for ${Math.round(silence)} ms`));
      heard = Math.max(heard ?? 0, sent);
      enter('redis');
      return answer;
    } catch (error) {
      enter('local', error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
  }

  let heartbeat: NodeJS.Timeout | undefined;

  async function serve(batch: Batch): Promise<void> {
    const answers = await attempt(async () => run(batch));
    for (const [i, answered] of batch.waiting.entries()) answered(answers?.[i]?.split(' '));
  }

  let batches = new Map<string, Batch>();
  function flush(): void {
    const ready = batches;
    batches = new Map();
    for (const batch of ready.values()) void serve(batch);
  }

  /** Count, milliseconds left and versions of one request; undefined when Redis could not say. */
  function ask(slot: string, window: string, names: readonly string[], wanted: number): Promise<string[] | undefined> {
    return new Promise((resolve) => {
      if (batches.size === 0) setImmediate(flush);
      let batch = batches.get(slot);
      if (batch === undefined || batch.waiting.length === LARGEST_BATCH) {
        if (batch !== undefined) void serve(batch);
        batch = { keys: [], wanted: [], waiting: [] };
        batches.set(slot, batch);
      }
      batch.keys.push(window);
      for (const name of names) batch.keys.push(versionKey(slot, name));
      batch.wanted.push(wanted);
      batch.waiting.push(resolve);
    });
  }

  // A connection that ends between two requests, and a Redis that stalls while nobody asks, must be noticed too.
  const onClose = (): void => {
    // An attempt to connect that fails closes, too: what was never up has not gone away.
    if (heartbeat !== undefined) enter('local', new Error('connection closed'));
  };
  redis.on('close', onClose);
  const onReady = (): void => {
    heartbeat ??= setInterval(() => void attempt(async () => redis.ping()), HEARTBEAT_MS).unref();
  };
  if (redis.status === 'ready') onReady();
  else redis.once('ready', onReady);

  return {
    async admit(slot, window, names) {
      const counted = windowKey(slot, window);
      const answer = await ask(slot, counted, names, names.length);
      // Without Redis a limit holds per process, from what Redis last said: an answer matters more than an exact count.
      if (answer === undefined) return { ...local.count(counted), versions: null };
      const count = Number(answer[0]);
      const resetMs = Number(answer[1]);
      local.saw(counted, count, resetMs);
      return { count, resetMs, versions: answer.slice(2) };
    },

    async versions(slot, names) {
      // The window is not counted; it only holds its place.
      const answer = await ask(slot, windowKey(slot, ''), names, -names.length);
      return answer?.slice(2) ?? null;
    },

    async bump(slot, names) {
      const set = (name: string) => redis.set(versionKey(slot, name), randomUUID(), 'PX', VERSION_TTL_MS);
      await deadline.watch(Promise.all(names.map(set)));
    },

    close() {
      clearInterval(heartbeat);
      redis.off('ready', onReady).off('close', onClose);
      deadline.close();
    },
  };
}

function createLocalWindows() {
  const windows = new LRUCache<string, { count: number; endsAt: number }>({ max: 100_000 });
  return {
    /** Takes over what Redis counted: a moment without it does not begin the window anew. */
    saw(key: string, count: number, resetMs: number): void {
      const endsAt = performance.now() + resetMs;
      const open = windows.get(key);
      if (open === undefined) windows.set(key, { count, endsAt });
      else {
        open.count = count;
        open.endsAt = endsAt;
      }
    },

    count(key: string): { count: number; resetMs: number } {
      const now = performance.now();
      const open = windows.get(key);
      const current = open === undefined || open.endsAt <= now ? { count: 0, endsAt: now + WINDOW_MS } : open;
      current.count += 1;
      windows.set(key, current);
      return { count: current.count, resetMs: Math.ceil(current.endsAt - now) };
    },
  };
}
