import type { RedisConnection } from '../redis/redis.ts';
import { LRUCache } from 'lru-cache';
import { asManyAs } from '../as-many.ts';
import { createDeadline } from '../timing/deadline.ts';
import type { Gate } from './gate.ts';
import { windowKey } from './keys.ts';
import { TRY, UNDO, runScript } from './scripts.ts';

/** How tries at something that is guessed at are slowed down. */
export interface Pace {
  /** Tries that may fail in a window before there is a wait. */
  readonly free: number;
  readonly windowMs: number;
  /** How long to wait after the last of these, and after each one more; the last holds for all that follow. None: until the window ends. */
  readonly waitsMs: readonly number[];
}

/** Something that is guessed at, by its slot and a name in it. */
export interface Tried extends Pace {
  readonly slot: string;
  readonly name: string;
}

export interface Tries {
  /** Counts a try as if it failed; how many milliseconds have to pass first, or 0 where it is allowed. Never rejects. */
  begin(tried: Tried): Promise<number>;
  /** Takes a try back that was none. Never rejects. */
  undo(tried: Tried): Promise<void>;
  /** Forgets what failed. Never rejects. */
  forget(tried: Tried): Promise<void>;
  close(): void;
}

export interface TriesDeps {
  readonly redis: RedisConnection;
  readonly gate: Pick<Gate, 'modeOf'>;
}

/** What one process knows, by a clock that only goes on. */
interface Counted {
  count: number;
  endsAt: number;
  waitUntil: number;
}

/** As the gate has it. */
const DEADLINE_MS = 100;
const MOST_KNOWN = 50_000;

/** Tries counted at Redis for all processes together; by each for itself while Redis is away, beginning with what Redis last said. */
export function createTries({ redis, gate }: TriesDeps): Tries {
  const deadline = createDeadline(DEADLINE_MS);
  const known = new LRUCache<string, Counted>(asManyAs(MOST_KNOWN));

  const keysOf = ({ slot, name }: Tried): [count: string, wait: string] => {
    const count = windowKey(slot, name);
    return [count, `${count}:espera`];
  };

  /** What Redis answers; undefined while it does not. */
  async function ask<T>({ slot }: Tried, command: () => Promise<T>): Promise<T | undefined> {
    if (gate.modeOf(slot) === 'local') return undefined;
    try {
      return await deadline.watch(command());
    } catch {
      // The gate notices by itself that Redis is away.
      return undefined;
    }
  }

  function beginHere(key: string, { free, windowMs, waitsMs }: Tried): number {
    const now = performance.now();
    const before = known.get(key);
    const counted =
      before === undefined || before.endsAt <= now ? { count: 0, endsAt: now + windowMs, waitUntil: 0 } : before;
    if (counted.waitUntil > now) return Math.ceil(counted.waitUntil - now);
    counted.count += 1;
    const beyond = counted.count - free;
    if (beyond >= 0) {
      const wait = waitsMs[Math.min(beyond, waitsMs.length - 1)];
      counted.waitUntil = wait === undefined ? counted.endsAt : now + wait;
      if (wait !== undefined) counted.endsAt = counted.waitUntil + windowMs;
    }
    known.set(key, counted);
    return 0;
  }

  return {
    async begin(tried) {
      const keys = keysOf(tried);
      const [key] = keys;
      const { windowMs, free, waitsMs } = tried;
      const answer = await ask(tried, async () => runScript(redis, TRY, keys, [windowMs, free, ...waitsMs]));
      if (answer === undefined) return beginHere(key, tried);
      const [admitted = 0, count = 0, leftMs = 0, waitMs = 0] = answer as number[];
      const now = performance.now();
      known.set(key, { count, endsAt: now + leftMs, waitUntil: now + waitMs });
      return admitted === 1 ? 0 : Math.max(1, waitMs);
    },

    async undo(tried) {
      const keys = keysOf(tried);
      const here = known.get(keys[0]);
      if (here !== undefined) {
        here.count = Math.max(0, here.count - 1);
        if (here.count < tried.free) here.waitUntil = 0;
      }
      await ask(tried, async () => runScript(redis, UNDO, keys, [tried.free]));
    },

    async forget(tried) {
      const keys = keysOf(tried);
      known.delete(keys[0]);
      await ask(tried, async () => redis.unlink(...keys));
    },

    close: () => deadline.close(),
  };
}
