import { hash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import { serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';
import type { Threads } from './threads.ts';

export type Renderings = ReturnType<typeof createRenderings>;

/** A document to be rendered. Documents with the same content have the same id. */
export interface Rendering {
  readonly id: string;
  /** Resolves when the first bytes can be sent; rejects when there will be none. */
  open(): Promise<Opened>;
}

/** The bytes of a document: a buffer when they are kept, else a stream of them while they are made. */
export interface Opened {
  readonly body: Buffer | Readable;
  /** Settles when the thread has finished the document. */
  readonly done: Promise<unknown>;
}

export interface RenderingsOptions {
  readonly threads: Pick<Threads, 'stream'>;
  /** The most bytes of kept documents. */
  readonly maxBytes: number;
  /** How long making a document may take before its thread is ended. */
  readonly maxMs: number;
}

/**
 * Documents that threads make. They are kept up to a limit in bytes, and requests at the same time share one rendering.
 */
export function createRenderings({ threads, maxBytes, maxMs }: RenderingsOptions) {
  const kept = new LRUCache<string, Buffer>({ maxSize: maxBytes, sizeCalculation: (bytes) => bytes.length });
  const underWay = new Map<string, Promise<Buffer>>();

  async function make(id: string, thread: string, input: unknown): Promise<Opened> {
    const source = threads.stream(thread, input, AbortSignal.timeout(maxMs));
    // The client may leave or read slowly. The document is made all the same, for the next request.
    const body = new PassThrough();
    // It may fail when nobody reads it any more, and an `error` event without a listener would end the process.
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
