import type { Readable } from 'node:stream';

/** A range of bytes; the first and the last one are included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An object that is being written. It is not visible before `close` resolves. */
export interface ObjectSink {
  /** Writes some bytes. A caller that awaits each call keeps at most one part in memory. */
  write(bytes: Uint8Array): Promise<void>;
  /** Makes the object durable and visible. */
  close(): Promise<void>;
  /** Removes what was written. */
  abort(): Promise<void>;
}

/**
 * A store of big files, by name. A name has segments of `[a-z0-9_.-]` between slashes. No segment begins with a dot.
 */
export interface ObjectStore {
  create(name: string): Promise<ObjectSink>;
  /** Resolves once the first bytes can be sent. @throws ObjectMissing */
  read(name: string, range: ByteRange): Promise<Readable>;
  /** The names of the objects in a folder. The folder's name ends in a slash. */
  list(folder: string): Promise<string[]>;
  /** Removes objects. Those that do not exist are ignored. */
  remove(names: readonly string[]): Promise<void>;
}

/** There is no such object. */
export class ObjectMissing extends Error {}

const NAME = /^[a-z0-9_-][a-z0-9_.-]*(\/[a-z0-9_-][a-z0-9_.-]*)*$/;

/** Returns the name. @throws RangeError when no object can have it. */
export function checkName(name: string): string {
  if (!NAME.test(name)) throw new RangeError('no object can have this name');
  return name;
}
