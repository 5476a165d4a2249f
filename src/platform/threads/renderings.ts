import { hash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import { serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';
import type { Threads } from './threads.ts';

export type Renderings = ReturnType<typeof createRenderings>;

/** A document to be rendered, and what it is known by: the same content has the same id. */
export interface Rendering {
  readonly id: string;
  /** Resolves when there is something of it to be sent; rejects when there will be nothing. */
  open(): Promise<Opened>;
}

/** A document's bytes: whole where they are kept, else as they are made. */
export interface Opened {
  readonly body: Buffer | Readable;
  /** Settles when the thread is done with it. */
  readonly done: Promise<unknown>;
}

export interface RenderingsOptions {
  readonly threads: Pick<Threads, 'stream'>;
  /** Of documents kept. */
  readonly maxBytes: number;
  /** How long one may take before its thread is ended. */
  readonly maxMs: number;
}

/** Documents that threads make, kept by their content up to a bound in bytes; one that several ask for at once is made once. */
export function createRenderings({ threads, maxBytes, maxMs }: RenderingsOptions) {
  const kept = new LRUCache<string, Buffer>({ maxSize: maxBytes, sizeCalculation: (bytes) => bytes.length });
  const underWay = new Map<string, Promise<Buffer>>();

  async function make(id: string, thread: string, input: unknown): Promise<Opened> {
    const source = threads.stream(thread, input, AbortSignal.timeout(maxMs));
    // Whoever asked may go or read slowly; the document is made all the same, for who comes next.
    const body = new PassThrough();
    // It fails after its first piece where nobody may be reading it any more.
    body.on('error', () => {});
    const begun = new Promise<void>((resolve) => source.once('data', () => resolve()));
    const done = new Promise<Buffer>((resolve, reject) => {
      const pieces: Buffer[] = [];
      source.on('data', (piece: Buffer) => {
        pieces.push(piece);
        if (!body.destroyed) body.write(piece);
      });
      source.once('end', () => {
        const bytes = Buffer.concat(pieces);
        kept.set(id, bytes);
        body.end();
        resolve(bytes);
      });
      source.once('error', (error) => {
        body.destroy(error);
        reject(error);
      });
    });
    underWay.set(id, done);
    const forget = () => underWay.delete(id);
    done.then(forget, forget);
    await Promise.race([begun, done]);
    return { body, done };
  }

  return {
    of(thread: string, input: unknown): Rendering {
      const id = hash('sha256', serialize([thread, input]), 'base64url');
      return {
        id,
        async open() {
          const whole = kept.get(id) ?? underWay.get(id);
          return whole === undefined ? make(id, thread, input) : { body: await whole, done: Promise.resolve() };
        },
      };
    },
  };
}
