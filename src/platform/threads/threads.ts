import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';

const THREAD_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export interface ThreadsOptions {
  /**
   * The most threads at a time. By default one less than the number of processors, which leaves one for the event loop.
   */
  readonly maxThreads?: number;
  /** Folder of the compiled thread files, ending in a slash. */
  readonly folder?: URL;
}

export type Threads = ReturnType<typeof createThreads>;

/** A running thread that gets one order after the other. */
export interface Conversation<Order, Answer> {
  /**
   * Resolves to the answer. The buffers in `transfer` are moved to the thread. Rejects when the thread throws or has
   * ended.
   */
  ask(order: Order, transfer?: readonly ArrayBuffer[]): Promise<Answer>;
  /** Stops the thread if it still runs. Resolves when it is free. */
  end(): Promise<void>;
}

/**
 * Runs CPU work outside the event loop. No thread starts before the first run, and idle ones end.
 *
 * A thread is a file of `workers/threads`, found by URL and never imported; its default export is the function that
 * runs. Input and output are structured clones.
 */
export function createThreads(options: ThreadsOptions = {}) {
  const maxThreads = options.maxThreads ?? Math.max(1, availableParallelism() - 1);
  const folder = options.folder ?? new URL('../../../workers/threads/', import.meta.url);
  const accepted = new Set<Promise<unknown>>();
  let pool: Piscina<unknown, unknown> | undefined;

  function fileOf(thread: string): string {
    if (!THREAD_NAME.test(thread)) throw new Error(`No thread can have this name: ${thread}`);
    return fileURLToPath(new URL(`${thread}.js`, folder));
  }

  async function start(
    filename: string,
    input: unknown,
    transferList: readonly MessagePort[],
    signal?: AbortSignal,
  ): Promise<unknown> {
    pool ??= new Piscina<unknown, unknown>({
      minThreads: 0,
      maxThreads,
      idleTimeout: 30_000,
      // With Atomics, a thread whose work is synchronous would never run its event loop, which frees closed ports.
      atomics: 'disabled',
    });
    const running = pool.run(input, { filename, transferList, signal: signal ?? null });
    accepted.add(running);
    try {
      return await running;
    } finally {
      accepted.delete(running);
    }
  }

  return {
    /**
     * Runs a thread on an input. An empty run costs about 75 µs, so give it work in batches. The signal ends a thread
     * that may never finish; another takes its place.
     *
     * @throws what the function throws, or an Error when there is no such thread or the signal was given.
     */
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names what goes in and what comes out
    async run<Input, Output>(thread: string, input: Input, signal?: AbortSignal): Promise<Output> {
      // The file's own types stay behind the thread.
      return (await start(fileOf(thread), input, [], signal)) as Output;
    },

    /**
     * Runs a thread whose output is bytes, and returns them as a stream while they are made. Its function takes `{
     * input, port }`, posts each piece to the port as a Uint8Array whose buffer it transfers, and ends by returning.
     * When it throws, the stream is destroyed. A slow reader does not slow the thread down, so the whole output must
     * fit into memory.
     *
     * When the stream is destroyed early, the rest of the output is dropped and the thread finishes its work, because
     * interrupting it would end the thread. The signal ends a thread that may never finish; another takes its place.
     *
     * @throws an Error when no thread can have this name.
     */
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names what goes in
    stream<Input>(thread: string, input: Input, signal?: AbortSignal): Readable {
      const filename = fileOf(thread);
      const { port1: ours, port2: theirs } = new MessageChannel();
      const stream = new Readable({
        read() {
          // Pieces are pushed when the thread makes them.
        },
        destroy(error, done) {
          ours.close();
          done(error);
        },
      });
      const running = start(filename, { input, port: theirs }, [theirs], signal);
      ours.on('message', (piece: Uint8Array) => stream.push(piece));
      running.then(
        () => {
          if (stream.destroyed) return;
          // The end of the run comes through another port than the pieces, and may overtake them.
          for (let left = receiveMessageOnPort(ours); left !== undefined; left = receiveMessageOnPort(ours)) {
            stream.push(left.message);
          }
          ours.close();
          stream.push(null);
        },
        (error: Error) => stream.destroy(error),
      );
      return stream;
    },

    /**
     * Starts a thread that keeps its state between orders. Its function takes `{ input, port }`, posts one answer to
     * each message of the port, and ends after the last one or when the port closes. Each answer has to be awaited
     * before the next order, so memory holds at most one of each. The thread is occupied until the end, so long
     * conversations need a pool of their own.
     *
     * @throws an Error when no thread can have this name.
     */
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names what goes in and what comes out
    talk<Input, Order, Answer>(thread: string, input: Input): Conversation<Order, Answer> {
      const filename = fileOf(thread);
      const { port1: ours, port2: theirs } = new MessageChannel();
      const running = start(filename, { input, port: theirs }, [theirs]);
      // No `Promise.race` against the run's promise: it would keep every answer in memory until the end of the run.
      let asked: { resolve: (answer: Answer) => void; reject: (error: unknown) => void } | undefined;
      let over: { because: unknown } | undefined;
      function answered(answer: Answer): void {
        asked?.resolve(answer);
        asked = undefined;
      }
      function stop(because: unknown): void {
        over = { because };
        asked?.reject(because);
        ours.close();
      }
      ours.on('message', answered);
      running.then(() => {
        // The end of the run comes through another port than the last answer, and may overtake it.
        const left = receiveMessageOnPort(ours);
        if (left !== undefined) answered(left.message as Answer);
        stop(new Error('the thread has ended'));
      }, stop);
      return {
        async ask(order, transfer = []) {
          return new Promise((resolve, reject) => {
            if (over !== undefined) throw over.because;
            if (asked !== undefined) throw new Error('the answer before is still to come');
            asked = { resolve, reject };
            ours.postMessage(order, [...transfer]);
          });
        },
        async end() {
          ours.close();
          await Promise.allSettled([running]);
        },
      };
    },

    /** The number of threads that are running now. */
    get running(): number {
      return pool?.threads.length ?? 0;
    },

    /** Waits for the running and the waiting work, and ends the threads. A later run starts new ones. */
    async close(): Promise<void> {
      const closing = pool;
      pool = undefined;
      await Promise.allSettled(accepted);
      await closing?.close();
    },
  };
}
