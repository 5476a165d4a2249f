import type { RedisConnection } from '../redis/redis.ts';
import { LRUCache } from 'lru-cache';
import { asManyAs } from '../as-many.ts';
import { createDeadline } from '../timing/deadline.ts';
import type { Gate } from './gate.ts';
import { windowKey } from './keys.ts';
import { LOOK, runScript } from './scripts.ts';
import type { LookCall, Looked } from './scripts.ts';

/** Who an answer is about, by id: nobody, where it was looked for somebody in vain. Null: it says nothing of anybody. */
export type About = readonly number[] | null;

/** How much one caller may find out in an hour. */
export interface MostFound {
  /** Looks that find nobody. */
  readonly mostMisses: number;
  /** Different people. */
  readonly mostPeople: number;
}

export interface Looks {
  /** Counts an answer before it is given. Never rejects. */
  count(slot: string, name: string, most: MostFound, people: readonly number[]): Promise<Looked>;
  close(): void;
}

const HOUR_MS = 3_600_000;
/** As the gate has it. */
const DEADLINE_MS = 100;
const MOST_KNOWN = 10_000;

/** What the gate is given to count a look in the round trip in which it counts the request. */
export function lookCall(
  slot: string,
  name: string,
  { mostMisses, mostPeople }: MostFound,
  people: readonly number[],
): LookCall {
  const window = windowKey(slot, name);
  const args = [HOUR_MS, mostMisses, mostPeople, people.length, ...new Set(people)];
  args[3] = args.length - 4;
  return { keys: [`${window}:em-vao`, `${window}:pessoas`], args };
}

/** What one process counted of a caller while Redis was away. */
interface Counted {
  misses: number;
  missesEnd: number;
  people: Set<number>;
  peopleEnd: number;
}

/** Looks counted at Redis for all processes together, and by each for itself while Redis is away. */
export function createLooks({
  redis,
  gate,
}: {
  readonly redis: RedisConnection;
  readonly gate: Pick<Gate, 'modeOf'>;
}): Looks {
  const deadline = createDeadline(DEADLINE_MS);
  const known = new LRUCache<string, Counted>(asManyAs(MOST_KNOWN));

  /** As the script does it. */
  function countHere(name: string, { mostMisses, mostPeople }: MostFound, people: readonly number[]): Looked {
    const now = performance.now();
    const one = known.get(name) ?? { misses: 0, missesEnd: now, people: new Set(), peopleEnd: now };
    known.set(name, one);
    if (one.missesEnd <= now) Object.assign(one, { misses: 0, missesEnd: now + HOUR_MS });
    if (one.peopleEnd <= now) Object.assign(one, { people: new Set(), peopleEnd: now + HOUR_MS });
    const found = [...new Set(people)].filter((id) => !one.people.has(id));
    if (people.length > 0 && found.length === 0) return { allowed: true, waitMs: 0 };
    const full = one.people.size + found.length > mostPeople;
    if (people.length > 0 && !full && one.misses < mostMisses) {
      for (const id of found) one.people.add(id);
      return { allowed: true, waitMs: 0 };
    }
    one.misses += 1;
    if (one.misses > mostMisses) return { allowed: false, waitMs: one.missesEnd - now };
    return full ? { allowed: false, waitMs: one.peopleEnd - now } : { allowed: true, waitMs: 0 };
  }

  return {
    async count(slot, name, most, people) {
      const { keys, args } = lookCall(slot, name, most, people);
      if (gate.modeOf(slot) === 'redis') {
        try {
          const [allowed = 0, waitMs = 0] = (await deadline.watch(runScript(redis, LOOK, keys, args))) as number[];
          return { allowed: allowed === 1, waitMs };
        } catch {
          // The gate notices by itself that Redis is away.
        }
      }
      return countHere(windowKey(slot, name), most, people);
    },

    close: () => deadline.close(),
  };
}
