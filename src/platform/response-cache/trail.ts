import type { Gate } from '../gate/gate.ts';

/**
 * What a read depends on, said while it is made. A tag must be named *before* the rows it stands for are read: its version
 * from before the read is what makes a racing write visible.
 */
export interface Trail {
  /** Names tags that the rows about to be read depend on. */
  dependsOn(...tags: string[]): Promise<void>;
  /** Says an instant at which the answer changes by itself (local midnight, the end of an unblock). */
  changesAt(instant: Date): void;
}

/** For reads whose answer nobody keeps. */
export const untracked: Trail = {
  dependsOn: async () => {},
  changesAt: () => {},
};

/** Versions by tag, as read at the gate. */
export type Versions = ReadonlyMap<string, string>;

/** What an answer was made from. */
export interface Provenance {
  readonly tags: readonly string[];
  /** Version of each tag from before the rows were read. */
  readonly versions: readonly string[];
  /** Milliseconds since the epoch from which the answer is another; Infinity when only a write changes it. */
  readonly changesAt: number;
}

export interface OpenTrail extends Trail {
  /** The whole provenance, or null when it is not known and the answer must not be kept. */
  provenance(): Provenance | null;
}

export interface TrailOptions {
  readonly slot: string;
  /** Versions read at the gate for this request; null when Redis could not say. */
  readonly known: Versions | null;
  /** A tag, among the known ones, that every answer depends on. */
  readonly implied: string;
}

export function createTrail(gate: Pick<Gate, 'versions'>, { slot, known, implied }: TrailOptions): OpenTrail {
  const versions = new Map<string, string>();
  let complete = known !== null;
  let changesAt = Infinity;
  return {
    async dependsOn(...tags) {
      if (!complete) return;
      const missing: string[] = [];
      for (const tag of tags) {
        if (versions.has(tag)) continue;
        const version = known?.get(tag);
        if (version === undefined) missing.push(tag);
        else versions.set(tag, version);
      }
      if (missing.length === 0) return;
      const read = await gate.versions(slot, missing);
      if (read === null) complete = false;
      else for (const [i, tag] of missing.entries()) versions.set(tag, read[i] ?? '');
    },

    changesAt(instant) {
      changesAt = Math.min(changesAt, instant.getTime());
    },

    provenance() {
      // A read that named nothing has not been thought about: it is answered and not kept.
      const common = known?.get(implied);
      if (!complete || versions.size === 0 || common === undefined) return null;
      versions.set(implied, common);
      return { tags: [...versions.keys()], versions: [...versions.values()], changesAt };
    },
  };
}
