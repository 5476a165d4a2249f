import { PerformanceObserver, constants } from 'node:perf_hooks';
import type { PerformanceEntry } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

const CHECK_MS = 50;
/** Heap and buffers above the response cache's bound from which memory is short, and below which it is not any more. */
const SHORT = { from: 60 * 2 ** 20, until: 48 * 2 ** 20 };
/** What may come above that which is in use before memory is short. */
const ROOM = 14 * 2 ** 20;
/** Of so many collections the one that left least says what is in use: others were followed by new garbage before they were looked at. */
const COLLECTIONS = 8;
/** How far the heap may grow above what is in use before V8 collects. */
const GROWING_PERCENT = 20;

/**
 * Keeps the process within its cache's bound and 200 MB. Long lists make garbage that is old before it is dropped, and V8 lets the heap
 * grow up to fourfold between collections and leaves up to 40 MB of holes in its pages: with the cache full, a busy process took 335
 * to 390 MB. While memory is short V8 is told to prefer size: it collects sooner, and empties the sparsest of the heap's pages each
 * time, in 5 to 10 ms (200 to 220 MB). `--compact-on-every-full-gc` moves all objects: 50 to 100 ms a time, for 250 to 290 MB.
 * What is in use may be above the bound by itself, as with tens of thousands of credentials. Memory is then short from `ROOM` above that:
 * a V8 that prefers size where nothing is left to collect does so several times a second, and a process answered a tenth of what it can.
 * What a thread holds does not count (60 MB while boletos are drawn): nothing done here would make it less.
 */
export function guardHeap(cacheBytes: number): { close(): void } {
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
  let short = false;
  /** After each of the last collections, above the cache's bound. */
  const after: number[] = [];
  const collections = new PerformanceObserver((list) => {
    if (!list.getEntries().some(isMajor)) return;
    const { heapUsed, external } = process.memoryUsage();
    after.push(heapUsed + external - cacheBytes);
    if (after.length > COLLECTIONS) after.shift();
  });
  collections.observe({ entryTypes: ['gc'] });
  const timer = setInterval(() => {
    const { heapTotal, external } = process.memoryUsage();
    const above = heapTotal + external - cacheBytes;
    const used = after.length === 0 ? 0 : Math.min(...after);
    const isShort = above > (short ? Math.max(SHORT.until, used + ROOM / 2) : Math.max(SHORT.from, used + ROOM));
    if (isShort === short) return;
    short = isShort;
    setFlagsFromString(`--${short ? '' : 'no-'}optimize-for-size`);
    // A V8 that prefers size takes less room than this by itself.
    setFlagsFromString(`--heap-growing-percent=${short ? 0 : GROWING_PERCENT}`);
  }, CHECK_MS).unref();
  return {
    close: () => {
      clearInterval(timer);
      collections.disconnect();
    },
  };
}

/** What an entry is about has no type of its own. */
function isMajor(entry: PerformanceEntry & { readonly detail?: unknown }): boolean {
  const { detail } = entry;
  return (
    typeof detail === 'object' &&
    detail !== null &&
    'kind' in detail &&
    detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
  );
}
