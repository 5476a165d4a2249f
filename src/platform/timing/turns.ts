/** Thrown when too many wait for a turn, or when one has waited for too long. The caller may try again later. */
export class TooManyWaiting extends Error {
  constructor() {
    super('too many wait for a turn');
    this.name = 'TooManyWaiting';
  }
}

export type Turns = ReturnType<typeof createTurns>;

export interface TurnsOptions {
  /** The most that may wait; half of it for one source. */
  readonly maxWaiting: number;
  /** How long one may wait. */
  readonly patienceMs: number;
  /**
   * The longest rest after a turn. Without it, a turn that was slow because it waited for others would also rest as
   * long.
   */
  readonly maxRestMs: number;
}

/**
 * Runs pieces of work one after the other. After each comes a rest that is as long as the work took, so half of the
 * time is left for everything else. The sources take turns, and the work of each source runs in the order in which it
 * came. So a source that asks for much does not delay the others.
 */
export function createTurns({ maxWaiting, patienceMs, maxRestMs }: TurnsOptions) {
  /** The waiting work by source, in the order of the turns. */
  const waiting = new Map<string, (() => void)[]>();
  let waitingInAll = 0;
  let taken = false;

  function leave(source: string, start: () => void): void {
    const queue = waiting.get(source) ?? [];
    queue.splice(queue.indexOf(start), 1);
    waitingInAll -= 1;
    if (queue.length === 0) waiting.delete(source);
  }

  async function wait(source: string): Promise<void> {
    const queue = waiting.get(source) ?? [];
    if (waitingInAll >= maxWaiting || queue.length >= maxWaiting / 2) throw new TooManyWaiting();
    await new Promise<void>((resolve, reject) => {
      const start = (): void => {
        clearTimeout(patience);
        resolve();
      };
      const patience = setTimeout(() => {
        leave(source, start);
        reject(new TooManyWaiting());
      }, patienceMs);
      queue.push(start);
      waiting.set(source, queue);
      waitingInAll += 1;
    });
  }

  function next(): void {
    const [first] = waiting;
    if (first === undefined) {
      taken = false;
      return;
    }
    const [source, queue] = first;
    const [start] = queue;
    if (start !== undefined) leave(source, start);
    // The source moves to the end, behind all others.
    if (waiting.delete(source)) waiting.set(source, queue);
    start?.();
  }

  return {
    /**
     * Runs work in its turn. The turn lasts until the work is settled, and also the promises that it passes to `until`.
     *
     * @param source whose work it is.
     * @throws TooManyWaiting, or what the work throws.
     */
    async run<T>(source: string, work: (until: (begun: Promise<unknown>) => void) => Promise<T>): Promise<T> {
      if (taken) await wait(source);
      taken = true;
      const begun = performance.now();
      const started: Promise<unknown>[] = [];
      try {
        return await work((promise) => void started.push(promise));
      } finally {
        void Promise.allSettled(started).then(() => {
          setTimeout(next, Math.min(performance.now() - begun, maxRestMs));
        });
      }
    },
  };
}
