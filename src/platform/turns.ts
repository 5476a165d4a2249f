export type Turns = ReturnType<typeof createTurns>;

/** As many wait for a turn as may: try again later. */
export class TooManyWaiting extends Error {
  constructor() {
    super('too many wait for a turn');
    this.name = 'TooManyWaiting';
  }
}

/** Lets so many pieces of work be under way at once and keeps the others, up to a bound, in the order they came. */
export function createTurns({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }) {
  const waiting: (() => void)[] = [];
  let taken = 0;

  function end(): void {
    const next = waiting.shift();
    if (next === undefined) taken -= 1;
    else next();
  }

  return {
    /**
     * Runs work in its turn, which lasts until the work and what it says it has begun (`until`) are settled.
     *
     * @throws TooManyWaiting, or what the work throws.
     */
    async run<T>(work: (until: (begun: Promise<unknown>) => void) => Promise<T>): Promise<T> {
      if (taken < atOnce) taken += 1;
      else {
        if (waiting.length >= maxWaiting) throw new TooManyWaiting();
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      const begun: Promise<unknown>[] = [];
      try {
        return await work((promise) => void begun.push(promise));
      } finally {
        void Promise.allSettled(begun).then(end);
      }
    },
  };
}
