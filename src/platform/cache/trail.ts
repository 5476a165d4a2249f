import type { Moment } from '../gate/gate.ts';

/** What a read depends on, said by whoever makes it, before or after the rows are read. */
export interface Trail {
  /** Names tags that the rows depend on. */
  dependsOn(...tags: string[]): void;
  /** Says an instant at which the answer changes by itself (local midnight, the end of an unblock). */
  changesAt(instant: Date): void;
}

/** For reads whose answer nobody keeps. */
export const untracked: Trail = {
  dependsOn() {},
  changesAt() {},
};

/** What an answer was made from. */
export interface Provenance {
  /** From before the first row was read. */
  readonly since: Moment;
  /** None of these has been written between then and the reading of the rows, while none has been since then at all. */
  readonly tags: readonly string[];
  /** Milliseconds since the epoch from which the answer is another; Infinity when only a write changes it. */
  readonly changesAt: number;
}

/** An answer that depends on more than this is not kept: each request for it would ask Redis for all of them. */
const MOST_TAGS = 1000;

export interface OpenTrail extends Trail {
  /** The whole provenance, or null when it is not known and the answer must not be kept. */
  provenance(): Provenance | null;
}

/**
 * @param since what the gate said for this request, before anything was read; null when Redis could not say.
 * @param implied tags that every answer depends on.
 */
export function createTrail(since: Moment | null, implied: readonly string[]): OpenTrail {
  const tags = new Set<string>();
  let changesAt = Infinity;
  return {
    dependsOn(...named) {
      for (const tag of named) tags.add(tag);
    },

    changesAt(instant) {
      changesAt = Math.min(changesAt, instant.getTime());
    },

    provenance() {
      // A read that named nothing has not been thought about: it is answered and not kept.
      if (since === null || tags.size === 0 || tags.size > MOST_TAGS) return null;
      return { since, tags: [...new Set([...implied, ...tags])], changesAt };
    },
  };
}
