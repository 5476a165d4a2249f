import type { Moment } from '../gate/moment.ts';
import type { About } from '../gate/looks.ts';

/** Records what a read depends on. The code that reads calls it, before or after the rows are read. */
export interface Trail {
  /** Names tags that the rows depend on. */
  dependsOn(...tags: string[]): void;
  /** Names an instant at which the answer changes by itself, such as local midnight or the end of an unblock. */
  changesAt(instant: Date): void;
  /** Says who the answer is about, for callers of whom that is counted. */
  isAbout(about: About): void;
}

/** A trail for reads whose answer is not kept. */
export const untracked: Trail = {
  dependsOn() {},
  changesAt() {},
  isAbout() {},
};

/** What an answer was made from. */
export interface Provenance {
  /** A moment from before the first row was read. */
  readonly since: Moment;
  /** The tags that the answer depends on. The answer is good while none of them has been bumped since `since`. */
  readonly tags: readonly string[];
  /** When the answer changes by itself, in milliseconds since the epoch; Infinity when only a write changes it. */
  readonly changesAt: number;
  /** See `isAbout`. */
  readonly about: About;
}

/** An answer with more tags than this is not kept, because each request for it would ask Redis for all of them. */
const MOST_TAGS = 1000;

export interface OpenTrail extends Trail {
  readonly about: About;
  /** The provenance, or null when it is not fully known and the answer must not be kept. */
  provenance(): Provenance | null;
}

/**
 * @param since the gate's moment for this request, taken before anything was read; null when Redis did not answer.
 * @param implied tags that every answer depends on.
 */
export function createTrail(since: Moment | null, implied: readonly string[]): OpenTrail {
  const tags = new Set<string>();
  let changesAt = Infinity;
  let about: About = null;
  return {
    dependsOn(...named) {
      for (const tag of named) tags.add(tag);
    },

    changesAt(instant) {
      changesAt = Math.min(changesAt, instant.getTime());
    },

    isAbout(people) {
      about = people;
    },

    get about() {
      return about;
    },

    provenance() {
      // A read that named no tag was probably forgotten: its answer is sent, but not kept.
      if (since === null || tags.size === 0 || tags.size > MOST_TAGS) return null;
      return { since, tags: [...new Set([...implied, ...tags])], changesAt, about };
    },
  };
}
