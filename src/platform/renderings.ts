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
  open(): Opened;
}

/** A document's bytes: whole where they are kept, else as they are made. */
export interface Opened {
  readonly body: Buffer | Readable;
  /** Settles when the thread is done with it. */
  readonly done: Promise<unknown>;
}

/** Documents that threads make, kept by their content up to a bound in bytes; one that several ask for at once is made once. */
export function createRenderings({ threads, maxBytes }: { threads: Pick<Threads, 'stream'>; maxBytes: number }) {
  const kept = new LRUCache<string, Buffer>({ maxSize: maxBytes, sizeCalculation: (bytes) => bytes.length });
  const underWay = new Map<string, Promise<Buffer>>();

  function make(id: string, thread: string, input: unknown): Opened {
    const source = threads.stream(thread, input);
    // Whoever asked may go or read slowly; the document is made all the same, for who comes next.
    const body = new PassThrough();
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
    return { body, done };
  }

  return {
    of(thread: string, input: unknown): Rendering {
      const id = hash('sha256', serialize([thread, input]), 'base64url');
      return {
        id,
        open() {
          const bytes = kept.get(id);
          if (bytes !== undefined) return { body: bytes, done: Promise.resolve() };
          const others = underWay.get(id);
          return others === undefined ? make(id, thread, input) : follow(others);
        },
      };
    },
  };
}

/** The bytes of a document that is under way for another, once it is whole. */
function follow(whole: Promise<Buffer>): Opened {
  const body = new PassThrough();
  whole.then(
    (bytes) => body.end(bytes),
    (error: Error) => body.destroy(error),
  );
  return { body, done: whole };
}
