import { setFlagsFromString } from 'node:v8';

const CHECK_MS = 250;
/** Heap and buffers above the response cache's bound from which memory is short, and below which it is not any more. */
const SHORT = { from: 60 * 2 ** 20, until: 48 * 2 ** 20 };

/**
 * Keeps the process within its cache's bound and 200 MB. Long lists make garbage that is old before it is dropped, and V8 lets the heap
 * grow up to fourfold between collections and leaves up to 40 MB of holes in its pages: with the cache full, a busy process took 335
 * to 390 MB. While memory is short V8 is told to prefer size: it collects sooner, and empties the sparsest of the heap's pages each
 * time, in 5 to 10 ms (210 to 240 MB). `--compact-on-every-full-gc` moves all objects: 50 to 100 ms a time, for 250 to 290 MB.
 * What a thread holds does not count (60 MB while boletos are drawn): nothing done here would make it less.
 */
export function guardHeap(cacheBytes: number): { close(): void } {
  let short = false;
  const timer = setInterval(() => {
    const { heapTotal, external } = process.memoryUsage();
    const above = heapTotal + external - cacheBytes;
    const isShort = above > (short ? SHORT.until : SHORT.from);
    if (isShort !== short) setFlagsFromString(`--${isShort ? '' : 'no-'}optimize-for-size`);
    short = isShort;
  }, CHECK_MS).unref();
  return { close: () => clearInterval(timer) };
}
