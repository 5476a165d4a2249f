import type { Readable } from 'node:stream';

/** Bytes of an object, first and last included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Something being written. Nobody sees it before `close` resolves. */
export interface ObjectSink {
  /** Takes some bytes; whoever waits for it holds no more in memory than a part. */
  write(bytes: Uint8Array): Promise<void>;
  /** Makes it last, and seen. */
  close(): Promise<void>;
  /** Leaves nothing of it. */
  abort(): Promise<void>;
}

/** Big files by name. A name is made of segments of `[a-z0-9_.-]` between slashes, none of which begins with a dot. */
export interface ObjectStore {
  create(name: string): Promise<ObjectSink>;
  /** Resolves once there is something to send. @throws ObjectMissing */
  read(name: string, range: ByteRange): Promise<Readable>;
  /** Names that begin with a folder's, which ends in a slash. */
  list(folder: string): Promise<string[]>;
  /** Removes objects that may or may not be there. */
  remove(names: readonly string[]): Promise<void>;
}

/** There is no such object. */
export class ObjectMissing extends Error {}

const NAME = /^[a-z0-9_-][a-z0-9_.-]*(\/[a-z0-9_-][a-z0-9_.-]*)*$/;

/** @throws RangeError for a name that no object can have. */
export function checkName(name: string): string {
  if (!NAME.test(name)) throw new RangeError('no object can have this name');
  return name;
}
