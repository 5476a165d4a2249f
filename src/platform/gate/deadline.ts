/** How often what is under way is looked at. */
const CHECK_MS = 20;

/** Thrown into what took too long. */
export class DeadlineError extends Error {}

interface Watched {
  settled: boolean;
  /** Milliseconds, as the checks that found it under way credit them. */
  waitedMs: number;
  readonly reject: (error: Error) => void;
}

export type Deadline = ReturnType<typeof createDeadline>;

/**
 * Rejects promises that stay unanswered for `ms`.
 *
 * A timer a command would blame the server for a busy moment of our own event loop: it fires before the reply that already
 * waits in the socket is read. Here each check comes after the loop has read its sockets, and credits no more than two
 * periods, however long the loop was busy with other things: what is given up stayed unanswered over several turns of a
 * loop that was listening. One timer serves all.
 */
export function createDeadline(ms: number) {
  let underWay: Watched[] = [];
  let last = performance.now();

  function check(): void {
    const now = performance.now();
    const credit = Math.min(now - last, 2 * CHECK_MS);
    last = now;
    const still: Watched[] = [];
    for (const watched of underWay) {
      if (watched.settled) continue;
      watched.waitedMs += credit;
      if (watched.waitedMs > ms) watched.reject(new DeadlineError(`no answer within ${ms} ms`));
      else still.push(watched);
    }
    underWay = still;
  }

  const timer = setInterval(() => setImmediate(check), CHECK_MS).unref();

  return {
    watch<T>(promise: Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const watched: Watched = { settled: false, waitedMs: 0, reject };
        underWay.push(watched);
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
