import type { RedisConnection } from '../redis/redis.ts';
import { createDeadline } from '../timing/deadline.ts';
import { demandKey, isTenantSlot } from './keys.ts';

/** So many requests of one tenant in a second, at one process, are many. */
const MANY = 100;
const TELL_EVERY_MS = 1000;
/** What was told holds until it was missed twice. */
const TOLD_MS = 3 * TELL_EVERY_MS;
/** No request waits for it: only a job does, before it goes on. */
const DEADLINE_MS = 1000;

/** Tells other processes which tenants are asked much, and learns it from them. It only helps: where Redis does not answer, the answer is no. */
interface Demand {
  /** To be called for each request: those of tenants are counted in memory. Of networks nobody asks, and callers could make any number of them. */
  readonly note: (slot: string) => void;
  /** Whether some process was asked much lately. Never rejects. */
  isMuch(slot: string): Promise<boolean>;
  close(): void;
}

export function createDemand({ redis }: { readonly redis: RedisConnection }): Demand {
  const counts = new Map<string, number>();
  const deadline = createDeadline(DEADLINE_MS);
  let since = 0;
  let timer: NodeJS.Timeout | undefined;

  function tell(): void {
    const seconds = (performance.now() - since) / 1000;
    for (const [slot, count] of counts) {
      if (count >= MANY * seconds) redis.set(demandKey(slot), 1, 'PX', TOLD_MS).catch(() => {});
    }
    if (counts.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    counts.clear();
    since = performance.now();
  }

  return {
    note(slot) {
      if (!isTenantSlot(slot)) return;
      counts.set(slot, (counts.get(slot) ?? 0) + 1);
      if (timer !== undefined) return;
      since = performance.now();
      timer = setInterval(tell, TELL_EVERY_MS).unref();
    },

    async isMuch(slot) {
      try {
        return (await deadline.watch(redis.exists(demandKey(slot)))) === 1;
      } catch {
        return false;
      }
    },

    close() {
      clearInterval(timer);
      deadline.close();
    },
  };
}
