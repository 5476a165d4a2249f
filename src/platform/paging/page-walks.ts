import { LRUCache } from 'lru-cache';
import type { Redis } from 'ioredis';
import { createDeadline } from '../timing/deadline.ts';
import { unchanged } from '../gate/gate.ts';
import type { Gate, Moment } from '../gate/gate.ts';
import { createMarks } from './page-marks.ts';
import type { Marks, Place } from './page-marks.ts';
import type { PageReader, PageRequest } from './pages.ts';

/** A reader that rests longer than this between two pages has lost its place. */
export const WALK_MS = 3_600_000;

/** Pages back that a reader may ask for again. */
const PAGES_BACK = 8;

const DEADLINE_MS = 100;

const MOST_TOTALS = 20_000;

/** A count is made anew after this long even if nobody said that anything changed: operators write past us. */
const COUNT_HOLDS_MS = 60_000;

/** A long count holds as long though something changed: a list of millions would be counted for each page. */
const LONG_COUNT_MS = 100;

interface Total {
  readonly marks: Marks;
  readonly since: Moment;
  readonly tookMs: number;
}

export interface PageWalksDeps {
  readonly redis: Redis;
  readonly gate: Pick<Gate, 'read' | 'mode'>;
  /** What took longer than this to count is long. */
  readonly longCountMs?: number;
}

/** Whose list is read. */
export interface Walker {
  readonly slot: string;
  /** Tells readers of one tenant apart: each has its own place in a list. */
  readonly name: string;
  /** Where its rows are counted: who reads on the primary must not wait for a replica's count, or fail with it. */
  readonly onReplica: boolean;
  /** Tags whose writes change which rows a list has. */
  readonly tags: readonly string[];
  /** Told when what the list was has changed since, and for how many milliseconds at most it is still said. */
  readonly holds: (ms: number) => void;
}

/**
 * Remembers, in Redis, where the next page of each reader begins, so that it may be asked of any process; and, in this process, how
 * many rows a list has and where some of them stand, as long as Redis says that nothing of it was written, or for a minute where the
 * count was long. Without Redis pages are counted off, and rows counted.
 */
export function createPageWalks({ redis, gate, longCountMs = LONG_COUNT_MS }: PageWalksDeps) {
  const totals = new LRUCache<string, Total>({ max: MOST_TOTALS, ttl: COUNT_HOLDS_MS, ttlAutopurge: true });
  const counting = new Map<string, Promise<Total>>();
  const deadline = createDeadline(DEADLINE_MS);

  /** What Redis says; null when it does not. */
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
          // A Redis that reads and does not write has the places of an earlier reading.
          if (gate.mode === 'local') return null;
          const text = await ask(async () => redis.hget(keyOf(list, page), String(page.pagina)));
          return text === null ? null : (JSON.parse(text) as Place);
        },

        async leave(list, page, next) {
          const key = keyOf(list, page);
          await ask(async () => {
            const commands = redis.pipeline();
            // Whoever begins anew goes on from what is read now.
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
