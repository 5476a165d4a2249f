/** As many wait for a turn as may, or one has waited for too long: try again later. */
export class TooManyWaiting extends Error {
  constructor() {
    super('too many wait for a turn');
    this.name = 'TooManyWaiting';
  }
}

export type Turns = ReturnType<typeof createTurns>;

export interface TurnsOptions {
  /** Most that wait; half of it for one source. */
  readonly maxWaiting: number;
  /** How long one waits. */
  readonly patienceMs: number;
  /** The longest rest: a turn that waited for others must not be waited for twice. */
  readonly maxRestMs: number;
}

/**
 * Lets one piece of work after another be done, with a rest after each as long as it took: however many wait, half of the time is left to
 * everything else. Sources take turns, and the work of each is done in the order it came, so that nobody who asks for much keeps others waiting.
 */
export function createTurns({ maxWaiting, patienceMs, maxRestMs }: TurnsOptions) {
  /** By source, who is next first. */
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
    // Its next one comes after everyone else's.
    if (waiting.delete(source)) waiting.set(source, queue);
    start?.();
  }

  return {
    /**
     * Runs work in its turn, which lasts until the work and what it says it has begun (`until`) are settled.
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
