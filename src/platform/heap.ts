import { setFlagsFromString } from 'node:v8';

const CHECK_MS = 250;
/** Heap and buffers above the response cache's bound from which a flag is set, and below which it is unset again. */
const GROW_LITTLE = { from: 60 * 2 ** 20, until: 48 * 2 ** 20 };
const CLOSE_HOLES = { from: 85 * 2 ** 20, until: 65 * 2 ** 20 };

/**
 * Keeps the process within its cache's bound and 200 MB. Long lists make garbage that is old before it is dropped, and V8 lets the heap
 * grow up to fourfold between collections and leaves up to 40 MB of holes in its pages: with the cache full, a busy process took 335
 * to 390 MB. While memory is short the heap may grow by a fifth only, which costs some throughput. While it is scarcer still, each
 * full collection closes the holes (240 MB); that stops the process for some 30 ms, so it is the last resort. Else V8 does as it likes.
 * What a thread holds does not count (60 MB while boletos are drawn): nothing done here would make it less.
 */
export function guardHeap(cacheBytes: number): { close(): void } {
  const growLittle = createSwitch(GROW_LITTLE, (on) => `--heap-growing-percent=${on ? 20 : 0}`);
  const closeHoles = createSwitch(CLOSE_HOLES, (on) => `--${on ? '' : 'no-'}compact-on-every-full-gc`);
  const timer = setInterval(() => {
    const { heapTotal, external } = process.memoryUsage();
    const above = heapTotal + external - cacheBytes;
    growLittle(above);
    closeHoles(above);
  }, CHECK_MS).unref();
  return { close: () => clearInterval(timer) };
}

function createSwitch({ from, until }: typeof GROW_LITTLE, flag: (on: boolean) => string): (bytes: number) => void {
  let on = false;
  return (bytes) => {
    const wanted = bytes > (on ? until : from);
    if (wanted !== on) setFlagsFromString(flag(wanted));
    on = wanted;
  };
}
