import { LRUCache } from 'lru-cache';
import { asManyAs } from '../as-many.ts';
import type { RedisConnection } from '../redis/redis.ts';
import { createDeadline } from '../timing/deadline.ts';
import { unchanged } from '../gate/moment.ts';
import type { Gate } from '../gate/gate.ts';
import type { Moment } from '../gate/moment.ts';
import { createMarks } from './page-marks.ts';
import type { Marks, Place } from './page-marks.ts';
import type { PageReader, PageRequest } from './pages.ts';

/** The place of a reader is forgotten when it reads no page for this long. */
export const WALK_MS = 3_600_000;

/** How many pages back a reader may ask for again. */
const PAGES_BACK = 8;

const DEADLINE_MS = 100;

const MOST_TOTALS = 20_000;

/** A count is repeated after this time even when no tag changed, because operators also write by SQL. */
const COUNT_HOLDS_MS = 60_000;

/**
 * A count that took longer than this is used until then even when something changed; else each page would count
 * millions.
 */
const LONG_COUNT_MS = 100;

interface Total {
  readonly marks: Marks;
  readonly since: Moment;
  readonly tookMs: number;
}

export interface PageWalksDeps {
  readonly redis: RedisConnection;
  readonly gate: Pick<Gate, 'read' | 'modeOf'>;
  /** A count that takes longer than this is a long one; tests set it. */
  readonly longCountMs?: number;
}

/** The reader of a list, and what the list depends on. */
export interface Walker {
  readonly slot: string;
  /** A name that is unique among the readers of the tenant, because each has its own place in a list. */
  readonly name: string;
  /**
   * The server on which rows are counted. A read on the primary must not wait for a count on the replica, or fail with
   * it.
   */
  readonly onReplica: boolean;
  /** Tags whose writes change which rows a list has. */
  readonly tags: readonly string[];
  /** Called when an outdated count is used, with the milliseconds for which it may still be used. */
  readonly holds: (ms: number) => void;
}

/**
 * Remembers in Redis where the next page of each reader begins, so that any process can answer it. Remembers in this
 * process how many rows a list has, and the places of some of them: until Redis says that something changed, or for a
 * minute when the count took long. Without Redis, pages are found by their offset and the rows are counted each time.
 */
export function createPageWalks({ redis, gate, longCountMs = LONG_COUNT_MS }: PageWalksDeps) {
  const totals = new LRUCache<string, Total>({ ...asManyAs(MOST_TOTALS), ttl: COUNT_HOLDS_MS, ttlAutopurge: true });
  const counting = new Map<string, Promise<Total>>();
  const deadline = createDeadline(DEADLINE_MS);

  /** The answer of Redis; null when it does not answer. */
  async function ask<T>(command: () => Promise<T>): Promise<T | null> {
    try {
      return await deadline.watch(command());
    } catch {
      return null;
    }
  }

  async function totalOf(
    { slot, onReplica, tags, holds }: Walker,
    list: string,
    seen: number,
    count: () => Promise<number>,
  ): Promise<Marks> {
    const key = `${slot} ${list}`;
    const countKey = `${onReplica} ${key}`;
    const now = await gate.read(slot, tags);
    if (now === null) return createMarks(await count());
    const known = totals.get(key) ?? (await counting.get(countKey));
    if (known !== undefined && known.marks.rows >= seen) {
      if (unchanged(known.since, now)) return known.marks;
      if (known.tookMs > longCountMs) {
        holds(totals.getRemainingTTL(key));
        return known.marks;
      }
    }
    const begun = performance.now();
    const own = count().then((rows) => ({
      marks: createMarks(rows),
      since: { era: now.era, bumps: now.bumps },
      tookMs: performance.now() - begun,
    }));
    counting.set(countKey, own);
    try {
      const total = await own;
      totals.set(key, total);
      return total.marks;
    } finally {
      if (counting.get(countKey) === own) counting.delete(countKey);
    }
  }

  return {
    readerOf(walker: Walker): PageReader {
      const keyOf = (list: string, { porPagina }: PageRequest): string =>
        `${walker.slot}:paginas:${walker.name}:${porPagina}:${list}`;
      return {
        async placeOf(list, page) {
          // A Redis that can be read but not written would return outdated places.
          if (gate.modeOf(walker.slot) === 'local') return null;
          const text = await ask(async () => redis.hget(keyOf(list, page), String(page.pagina)));
          return text === null ? null : (JSON.parse(text) as Place);
        },

        async leave(list, page, next) {
          const key = keyOf(list, page);
          await ask(async () => {
            const commands = redis.pipeline();
            // The first page begins a new walk, so the places of the old one are removed.
            if (page.pagina === 1) commands.del(key);
            if (next !== null) {
              commands.hset(key, String(page.pagina + 1), JSON.stringify(next));
              commands.hdel(key, String(page.pagina - PAGES_BACK));
              commands.pexpire(key, WALK_MS);
            }
            return commands.exec();
          });
        },

        total: async (list, seen, count) => totalOf(walker, list, seen, count),
      };
    },

    close: (): void => deadline.close(),
  };
}
