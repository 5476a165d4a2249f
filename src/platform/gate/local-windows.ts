import { LRUCache } from 'lru-cache';

/** Counting windows of one process, for while Redis is away. `windowMs` is how long each lasts from its first request. */
export function createLocalWindows(windowMs: number) {
  const windows = new LRUCache<string, { count: number; endsAt: number }>({ max: 100_000 });
  return {
    /** Takes over what Redis counted: a moment without it does not begin the window anew. */
    saw(key: string, count: number, resetMs: number): void {
      const endsAt = performance.now() + resetMs;
      const open = windows.get(key);
      if (open === undefined) windows.set(key, { count, endsAt });
      else {
        open.count = count;
        open.endsAt = endsAt;
      }
    },

    count(key: string): { count: number; resetMs: number } {
      const now = performance.now();
      const open = windows.get(key);
      const current = open === undefined || open.endsAt <= now ? { count: 0, endsAt: now + windowMs } : open;
      current.count += 1;
      windows.set(key, current);
      return { count: current.count, resetMs: Math.ceil(current.endsAt - now) };
    },
  };
}
