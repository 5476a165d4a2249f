import { setFlagsFromString } from 'node:v8';

const CHECK_MS = 250;
/** Resident memory above the response cache's bound from which the heap is held short, and below which it is left to V8 again. */
const TIGHT_BYTES = 120 * 2 ** 20;
const EASY_BYTES = 100 * 2 ** 20;

/**
 * Keeps the process within its cache's bound and 200 MB. Long lists make garbage that is old before it is dropped, and V8 lets the heap
 * grow up to fourfold between collections and leaves up to 40 MB of holes in its pages: with the cache full, a busy process took 335
 * to 390 MB. While memory is short the heap may grow by a tenth only and each full collection closes the holes (220 to 250 MB), which
 * costs some throughput; else V8 does as it likes.
 */
export function guardHeap(cacheBytes: number): { close(): void } {
  let tight = false;
  const timer = setInterval(() => {
    const above = process.memoryUsage.rss() - cacheBytes;
    const short = above > (tight ? EASY_BYTES : TIGHT_BYTES);
    if (short !== tight) {
      // 0 is V8's own judgement.
      setFlagsFromString(`--heap-growing-percent=${short ? 10 : 0}`);
      setFlagsFromString(`--${short ? '' : 'no-'}compact-on-every-full-gc`);
    }
    tight = short;
  }, CHECK_MS).unref();
  return { close: () => clearInterval(timer) };
}
