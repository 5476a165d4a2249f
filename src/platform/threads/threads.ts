import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';

const THREAD_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export interface ThreadsOptions {
  /** Most threads at a time; by default one less than the processors, for the event loop's own. */
  readonly maxThreads?: number;
  /** Folder of the compiled thread files, ending in a slash. */
  readonly folder?: URL;
}

export type Threads = ReturnType<typeof createThreads>;

/** A thread at work that is told what to do, one order after the other. */
export interface Conversation<Order, Answer> {
  /** Resolves to the answer; the buffers named change hands. Rejects with what the thread throws, or once it was ended. */
  ask(order: Order, transfer?: readonly ArrayBuffer[]): Promise<Answer>;
  /** Has the thread stop if it has not yet; it is free once this resolves. */
  end(): Promise<void>;
}

/**
 * Runs CPU work beside the event loop. No thread starts before the first run, and idle ones end.
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
      // Waiting by Atomics, a thread whose work is synchronous never turns its event loop, where closed ports are freed.
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
     * Runs a thread on an input. An empty run costs about 75 µs, so give it work in batches.
     *
     * @throws what the function throws, or an Error when there is no such thread.
     */
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names what goes in and what comes out
    async run<Entrada, Saida>(thread: string, entrada: Entrada): Promise<Saida> {
      // The file's own types stay behind the thread.
      return (await start(fileOf(thread), entrada, [])) as Saida;
    },

    /**
     * Runs a thread whose output is bytes, and gives them as it makes them. Its function takes `{ input, port }`, posts
     * each piece to the port as a Uint8Array whose buffer it transfers, and ends by returning. What it throws destroys
     * the stream. Nothing holds it back when nobody reads: what it makes must be of a size that memory can hold.
     *
     * A stream destroyed early drops what still comes. The thread is not interrupted, for that would end it, but goes on
     * to other work when it is done. That is what the signal is for: it ends a thread that may never be done, and another
     * takes its place.
     *
     * @throws an Error when no thread can have this name.
     */
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names what goes in
    stream<Entrada>(thread: string, entrada: Entrada, signal?: AbortSignal): Readable {
      const filename = fileOf(thread);
      const { port1: ours, port2: theirs } = new MessageChannel();
      const stream = new Readable({
        read() {
          // Pieces come when the thread makes them.
        },
        destroy(error, done) {
          ours.close();
          done(error);
        },
      });
      const running = start(filename, { input: entrada, port: theirs }, [theirs], signal);
      ours.on('message', (piece: Uint8Array) => stream.push(piece));
      running.then(
        () => {
          if (stream.destroyed) return;
          // The run's end comes by another port than its pieces and may overtake them.
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
     * Starts a thread that keeps what it is at between orders. Its function takes `{ input, port }`, posts one answer to each message
     * of the port, and ends after the last or when the port closes. Each answer is to be waited for before the next order: so memory holds
     * no more than one of each. The thread is taken until the end, so whoever talks to some for long has a pool of its own.
     *
     * @throws an Error when no thread can have this name.
     */
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names what goes in and what comes out
    talk<Input, Order, Answer>(thread: string, input: Input): Conversation<Order, Answer> {
      const filename = fileOf(thread);
      const { port1: ours, port2: theirs } = new MessageChannel();
      const running = start(filename, { input, port: theirs }, [theirs]);
      // No race against the run's end: that would keep every answer until the end.
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
        // The run's end comes by another port than its last answer, and may overtake it.
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

    /** Threads that are running now. */
    get running(): number {
      return pool?.threads.length ?? 0;
    },

    /** Waits for what is running or waits to, and ends the threads; a later run starts anew. */
    async close(): Promise<void> {
      const closing = pool;
      pool = undefined;
      await Promise.allSettled(accepted);
      await closing?.close();
    },
  };
}
