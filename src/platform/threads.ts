import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';

const THREAD_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export interface ThreadsOptions {
  /** Most threads at a time; by default one less than the processors, for the event loop's own. */
  readonly maxThreads?: number;
  /** Folder of the compiled thread files, ending in a slash. */
  readonly folder?: URL;
}

export type Threads = ReturnType<typeof createThreads>;

/**
 * Runs CPU work beside the event loop. No thread starts before the first run, and idle ones end.
 *
 * A thread is a file of `workers/threads`, found by URL and never imported; its default export is the function that
 * runs. Input and output are structured clones.
 */
export function createThreads(options: ThreadsOptions = {}) {
  const maxThreads = options.maxThreads ?? Math.max(1, availableParallelism() - 1);
  const folder = options.folder ?? new URL('../../workers/threads/', import.meta.url);
  let pool: Piscina<unknown, unknown> | undefined;

  return {
    /**
     * Runs a thread on an input. An empty run costs about 75 µs, so give it work in batches.
     *
     * @throws what the function throws, or an Error when there is no such thread.
     */
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names what goes in and what comes out
    async run<Entrada, Saida>(thread: string, entrada: Entrada): Promise<Saida> {
      if (!THREAD_NAME.test(thread)) throw new Error(`No thread can have this name: ${thread}`);
      pool ??= new Piscina({ minThreads: 0, maxThreads, idleTimeout: 30_000 });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file's own types stay behind the thread
      return (await pool.run(entrada, { filename: fileURLToPath(new URL(`${thread}.js`, folder)) })) as Saida;
    },

    /** Threads that are running now. */
    get running(): number {
      return pool?.threads.length ?? 0;
    },

    /** Waits for what is running and ends the threads; a later run starts anew. */
    async close(): Promise<void> {
      const closing = pool;
      pool = undefined;
      await closing?.close();
    },
  };
}
