/** Does work once for all who ask for it by the same name before it begins. */
export type Together = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/**
 * Who asks while the work is being done waits for the next, which begins when it ends: what is read for somebody was never read before he
 * asked. All who wait get the same result, or the same error.
 */
export function createTogether(): Together {
  const places = new Map<string, { running: Promise<unknown>; next: Promise<unknown> | null }>();

  async function begin<T>(name: string, work: () => Promise<T>): Promise<T> {
    const running = work();
    const place = { running, next: null };
    places.set(name, place);
    const end = (): void => {
      if (place.next === null) places.delete(name);
    };
    running.then(end, end);
    return running;
  }

  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const place = places.get(name);
    if (place === undefined) return begin(name, work);
    const again = async (): Promise<T> => begin(name, work);
    place.next ??= place.running.then(again, again);
    // By one name one thing is done.
    return place.next as Promise<T>;
  };
}

/** Does each piece of work for itself, as inside a write, whose reads nobody else may have. */
export const alone: Together = async (_name, work) => work();
