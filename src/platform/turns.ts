/** As many wait for a turn as may: try again later. */
export class TooManyWaiting extends Error {
  constructor() {
    super('too many wait for a turn');
    this.name = 'TooManyWaiting';
  }
}

/**
 * Lets one piece of work after another be done, in the order they came, with a rest after each as long as it took: however many wait, half of
 * the time is left to everything else.
 */
export function createTurns({ maxWaiting }: { maxWaiting: number }) {
  const waiting: (() => void)[] = [];
  let taken = false;

  function rest(begun: number): void {
    setTimeout(() => {
      const next = waiting.shift();
      if (next === undefined) taken = false;
      else next();
    }, performance.now() - begun);
  }

  return {
    /**
     * Runs work in its turn, which lasts until the work and what it says it has begun (`until`) are settled.
     *
     * @throws TooManyWaiting, or what the work throws.
     */
    async run<T>(work: (until: (begun: Promise<unknown>) => void) => Promise<T>): Promise<T> {
      if (taken) {
        if (waiting.length >= maxWaiting) throw new TooManyWaiting();
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      taken = true;
      const begun = performance.now();
      const started: Promise<unknown>[] = [];
      try {
        return await work((promise) => void started.push(promise));
      } finally {
        void Promise.allSettled(started).then(() => rest(begun));
      }
    },
  };
}
