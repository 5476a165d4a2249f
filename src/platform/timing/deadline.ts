/** Each promise is checked about five times before its time is over, but at most this often. */
const SHORTEST_CHECK_MS = 20;

/** The error of a promise that took too long. */
export class DeadlineError extends Error {}

interface Watched {
  settled: boolean;
  /** Milliseconds of waiting, as counted by the checks. */
  waitedMs: number;
  readonly reject: (error: Error) => void;
}

/**
 * Rejects promises that are not settled within `ms`.
 *
 * A plain timer for each command would blame the server when our own event loop was busy: the timer fires before the
 * reply, which is already in the socket, is read. Here each check runs after the loop has read its sockets, and it
 * counts at most two check periods, however long the loop was busy. So a promise is rejected only when it stayed
 * unanswered over several turns of a loop that was reading. One timer serves all promises, and runs only while there
 * are some.
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
