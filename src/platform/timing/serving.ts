import { setTimeout as sleep } from 'node:timers/promises';

/** How soon what is due is begun beside what is under way. */
const LOOK_MS = 250;
/**
 * Of a target of which as much is under way as may be: what ends within this time of the first is written in one round with it. Else each of
 * several tasks that take equally long would have a round of its own, and the others would wait for that.
 */
const GATHER_MS = 5;
/** After a round failed. */
const REST_MS = 500;
/** How often what came of tasks is tried to be written while the process stops. */
const LAST_TRIES = 3;

/** What is to be done next of one target. */
export interface Round<Task> {
  readonly tasks: readonly Task[];
  /** Whether more might be under way, had more been due. */
  readonly room: boolean;
}

export interface ServingDeps<Target, Task, Done, Next extends Round<Task>> {
  readonly nameOf: (target: Target) => string;
  /** Writes what came of tasks, and takes what may be done next: nothing more once it is `stopping`. */
  readonly round: (target: Target, done: readonly Done[], stopping: boolean) => Promise<Next>;
  /** Does one task; never rejects. */
  readonly perform: (target: Target, task: Task) => Promise<Done>;
  /** What else follows from a round. */
  readonly after?: (target: Target, done: readonly Done[], next: Next) => Promise<void>;
  readonly onError: (target: Target, error: unknown) => void;
}

/**
 * Serves targets, each apart from the others: what is slow or hangs of one holds up no other. A target is served until nothing of it is
 * due or under way. If a round cannot write what came of tasks, it is given the same again; what is never written is done again by
 * whoever comes next.
 */
export function createServing<Target, Task extends { readonly id: number }, Done, Next extends Round<Task>>({
  nameOf,
  round,
  perform,
  after,
  onError,
}: ServingDeps<Target, Task, Done, Next>) {
  const served = new Map<string, Promise<void>>();
  let stopping = false;

  async function serve(target: Target): Promise<void> {
    const underWay = new Map<number, Promise<void>>();
    let done: Done[] = [];
    let failures = 0;
    const begin = async (task: Task): Promise<void> => {
      const result = await perform(target, task);
      // Only now: while this one waited, what was done before has been taken, and another list stands in its place.
      done.push(result);
      underWay.delete(task.id);
    };
    for (;;) {
      const taken = done;
      done = [];
      let next: Next;
      try {
        next = await round(target, taken, stopping);
        failures = 0;
      } catch (error) {
        onError(target, error);
        done = [...taken, ...done];
        failures += 1;
        if (underWay.size === 0 && (done.length === 0 || (stopping && failures >= LAST_TRIES))) return;
        await sleep(REST_MS);
        continue;
      }
      for (const task of next.tasks) underWay.set(task.id, begin(task));
      await after?.(target, taken, next).catch((error: unknown) => onError(target, error));
      if (underWay.size > 0) await oneEnds(underWay.values(), next.room && !stopping);
      else if (done.length === 0) return;
    }
  }

  async function finish(): Promise<void> {
    while (served.size > 0) await Promise.all(served.values());
  }

  return {
    /** Begins to serve every target that is not served already; returns how many. */
    begin(targets: readonly Target[]): number {
      let begun = 0;
      for (const target of stopping ? [] : targets) {
        const name = nameOf(target);
        if (served.has(name)) continue;
        begun += 1;
        const serving = serve(target)
          .catch((error: unknown) => onError(target, error))
          .finally(() => served.delete(name));
        served.set(name, serving);
      }
      return begun;
    },

    isStopping: () => stopping,

    /** Resolves once nothing is under way, with what came of it written. */
    finish,

    /** Takes nothing more, and waits for what is under way. */
    async stop(): Promise<void> {
      stopping = true;
      await finish();
    },
  };
}

/** Resolves once one task has ended; where others would have room beside it, also when it is time to look for them. */
async function oneEnds(underWay: Iterable<Promise<void>>, look: boolean): Promise<void> {
  const enough = new AbortController();
  const soon = sleep(LOOK_MS, undefined, { signal: enough.signal }).catch(() => {});
  await Promise.race([...underWay, ...(look ? [soon] : [])]);
  enough.abort();
  if (!look) await sleep(GATHER_MS);
}
