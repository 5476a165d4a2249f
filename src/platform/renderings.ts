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
  /** The bytes: whole where they are kept or under way for another, else as the thread makes them. @throws ThreadsBusy */
  open(): Promise<Buffer | Readable>;
}

/** Documents that threads make, kept by their content up to a bound in bytes; one that several ask for at once is made once. */
export function createRenderings({ threads, maxBytes }: { threads: Pick<Threads, 'stream'>; maxBytes: number }) {
  const kept = new LRUCache<string, Buffer>({ maxSize: maxBytes, sizeCalculation: (bytes) => bytes.length });
  const underWay = new Map<string, Promise<Buffer>>();

  function make(id: string, thread: string, input: unknown): Readable {
    const source = threads.stream(thread, input);
    // Whoever asked may go or read slowly; the document is made all the same, for who comes next.
    const out = new PassThrough();
    const whole = new Promise<Buffer>((resolve, reject) => {
      const pieces: Buffer[] = [];
      source.on('data', (piece: Buffer) => {
        pieces.push(piece);
        if (!out.destroyed) out.write(piece);
      });
      source.once('end', () => {
        const bytes = Buffer.concat(pieces);
        kept.set(id, bytes);
        out.end();
        resolve(bytes);
      });
      source.once('error', (error) => {
        out.destroy(error);
        reject(error);
      });
    });
    underWay.set(id, whole);
    whole.catch(() => {}).finally(() => underWay.delete(id));
    return out;
  }

  return {
    of(thread: string, input: unknown): Rendering {
      const id = hash('sha256', serialize([thread, input]), 'base64url');
      return {
        id,
        open: async () => kept.get(id) ?? underWay.get(id) ?? make(id, thread, input),
      };
    },
  };
}
