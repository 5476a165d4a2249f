/** What is under way is looked at about five times before its time is over, and no more often than this. */
const SHORTEST_CHECK_MS = 20;

/** Thrown into what took too long. */
export class DeadlineError extends Error {}

interface Watched {
  settled: boolean;
  /** Milliseconds, as the checks that found it under way credit them. */
  waitedMs: number;
  readonly reject: (error: Error) => void;
}

/**
 * Rejects promises that stay unanswered for `ms`.
 *
 * A timer a command would blame the server for a busy moment of our own event loop: it fires before the reply that already
 * waits in the socket is read. Here each check comes after the loop has read its sockets, and credits no more than two
 * periods, however long the loop was busy with other things: what is given up stayed unanswered over several turns of a
 * loop that was listening. One timer serves all, while there is anything to watch.
 */
export function createDeadline(ms: number) {
  const checkMs = Math.max(ms / 5, SHORTEST_CHECK_MS);
  let underWay: Watched[] = [];
  let last = 0;
  let timer: NodeJS.Timeout | undefined;

  function check(): void {
    const now = performance.now();
    const credit = Math.min(now - last, 2 * checkMs);
    last = now;
    const still: Watched[] = [];
    for (const watched of underWay) {
      if (watched.settled) continue;
      watched.waitedMs += credit;
      if (watched.waitedMs > ms) watched.reject(new DeadlineError(`no answer within ${ms} ms`));
      else still.push(watched);
    }
    underWay = still;
    if (still.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function start(): void {
    if (timer !== undefined) return;
    last = performance.now();
    timer = setInterval(() => setImmediate(check), checkMs).unref();
  }

  return {
    watch<T>(promise: Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const watched: Watched = { settled: false, waitedMs: 0, reject };
        underWay.push(watched);
        start();
        promise.then(
          (value) => {
            watched.settled = true;
            resolve(value);
          },
          (error: unknown) => {
            watched.settled = true;
            reject(error instanceof Error ? error : new Error(String(error)));
          },
        );
      });
    },
    close(): void {
      clearInterval(timer);
    },
  };
}
