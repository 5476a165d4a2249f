import { createHash, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { versionKey, windowKey } from './keys.ts';

/** A counting window starts with its first request and lasts this long. */
const WINDOW_MS = 60_000;

/** Versions nobody asks for are forgotten by Redis; a forgotten version only costs a miss. */
const VERSION_TTL_MS = 86_400_000;

/**
 * Counts the request and reads every version asked for, in one round trip. A version that Redis does not hold is seeded
 * with a value nobody can have seen before, so a flushed Redis makes misses and never a stale hit.
 *
 * KEYS: window, version… · ARGV: window ms, version TTL ms, seed · returns count, ms left, version…
 */
const SCRIPT = `
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
local answer = { count, left }
for i = 2, #KEYS do
  local version = redis.call('GET', KEYS[i])
  if not version then
    version = ARGV[3] .. i
    redis.call('SET', KEYS[i], version, 'PX', ARGV[2])
  end
  answer[i + 1] = version
end
return answer`;
const SCRIPT_SHA = createHash('sha1').update(SCRIPT).digest('hex');

export interface Admission {
  /** Requests in the window, this one included. */
  readonly count: number;
  /** Milliseconds until the window restarts. */
  readonly resetMs: number;
  /** Current versions, in the order asked for; null when Redis could not say, and nothing cached may be trusted. */
  readonly versions: readonly string[] | null;
}

export interface Gate {
  /** Counts one request in a slot's window and reads versions of the same slot. Never rejects. */
  admit(slot: string, window: string, versions: readonly string[]): Promise<Admission>;
  /** Makes everything that was read under these versions stale, in every process. Rejects when Redis is away. */
  bump(slot: string, versions: readonly string[]): Promise<void>;
}

export interface GateDeps {
  readonly redis: Redis;
  /** Told when Redis stops or resumes answering. */
  readonly onMode: (mode: 'redis' | 'local', reason?: Error) => void;
}

export function createGate({ redis, onMode }: GateDeps): Gate {
  const local = createLocalWindows();
  let mode: 'redis' | 'local' = 'redis';

  function enter(next: 'redis' | 'local', reason?: Error): void {
    if (next === mode) return;
    mode = next;
    onMode(next, reason);
  }

  async function run(keys: string[]): Promise<[number, number, ...string[]]> {
    const args = [...keys, WINDOW_MS, VERSION_TTL_MS, randomUUID()];
    try {
      return (await redis.evalsha(SCRIPT_SHA, keys.length, ...args)) as [number, number, ...string[]];
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return (await redis.eval(SCRIPT, keys.length, ...args)) as [number, number, ...string[]];
    }
  }

  return {
    async admit(slot, window, versions) {
      const counted = windowKey(slot, window);
      try {
        const [count, resetMs, ...current] = await run([counted, ...versions.map((name) => versionKey(slot, name))]);
        enter('redis');
        return { count, resetMs, versions: current };
      } catch (error) {
        // Without Redis a limit holds per process: an answer matters more than a count that several processes share.
        enter('local', error instanceof Error ? error : new Error(String(error)));
        return { ...local.count(counted), versions: null };
      }
    },

    async bump(slot, versions) {
      await Promise.all(versions.map((name) => redis.set(versionKey(slot, name), randomUUID(), 'PX', VERSION_TTL_MS)));
    },
  };
}

function createLocalWindows() {
  const windows = new LRUCache<string, { count: number; endsAt: number }>({ max: 100_000 });
  return {
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
