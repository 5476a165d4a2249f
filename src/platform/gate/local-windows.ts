/** When there are more windows than this, the oldest ones are forgotten. */
const MOST_WINDOWS = 100_000;

interface Window {
  count: number;
  endsAt: number;
}

/** Counting windows of one process, used while Redis is away. Each lasts `windowMs` from its first request. */
export function createLocalWindows(windowMs: number) {
  const windows = new Map<string, Window>();

  function open(key: string, window: Window): Window {
    if (windows.size >= MOST_WINDOWS) windows.delete(windows.keys().next().value ?? '');
    windows.set(key, window);
    return window;
  }

  return {
    /** Takes over what Redis counted, so that the window goes on when Redis goes away. */
    saw(key: string, count: number, resetMs: number): void {
      const endsAt = performance.now() + resetMs;
      const known = windows.get(key);
      if (known === undefined) open(key, { count, endsAt });
      else {
        known.count = count;
        known.endsAt = endsAt;
      }
    },

    count(key: string): { count: number; resetMs: number } {
      const now = performance.now();
      const current = windows.get(key) ?? open(key, { count: 0, endsAt: now + windowMs });
      if (current.endsAt <= now) {
        current.count = 0;
        current.endsAt = now + windowMs;
      }
      current.count += 1;
      return { count: current.count, resetMs: Math.ceil(current.endsAt - now) };
    },
  };
}
