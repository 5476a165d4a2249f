import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Deadline } from '../gate/deadline.ts';
import type { Gate } from '../gate/gate.ts';
import type { Relogio } from '../relogio.ts';
import { createTrail } from './trail.ts';
import type { Provenance, Trail, TrailOptions, Versions } from './trail.ts';

/** A response ready to be sent. */
export interface CachedResponse<Meta> extends Provenance {
  /** What its maker wants to know of it again. */
  readonly meta: Meta;
  readonly body: Buffer;
  /** Strong, with its quotes. */
  readonly etag: string;
  /** Of the cache when it was kept: one that was cleared since trusts it no more, whoever still holds it. */
  readonly epoch: number;
}

/** What happened, for metrics. */
export type CacheEvent = 'hit' | 'miss' | 'stale' | 'coalesced' | 'bypass' | 'eviction';

export interface ResponseCacheDeps {
  readonly gate: Pick<Gate, 'versions'>;
  readonly relogio: Relogio;
  readonly maxBytes: number;
  /** Ends a load that takes too long: those that joined it wait no longer either. */
  readonly deadline: Pick<Deadline, 'watch'>;
  readonly onEvent: (event: CacheEvent) => void;
}

export interface LoadRequest<Meta> extends TrailOptions {
  readonly key: string;
  readonly meta: Meta;
  /** Makes the body, naming on the trail what it depends on. */
  readonly produce: (trail: Trail) => Promise<string>;
}

type Outcome =
  | { readonly provenance: Provenance | null; readonly body: Buffer; readonly etag: string }
  | { readonly provenance: Provenance | null; readonly error: unknown };

/** A request that keeps joining loads which writes overtake ends by loading for itself. */
const MAX_JOINS = 3;

/** Bytes of an entry besides its body: key, tags, versions and the objects themselves. */
const ENTRY_OVERHEAD = 800;

export type ResponseCache<Meta> = ReturnType<typeof createResponseCache<Meta>>;

/**
 * Responses kept in process, each good only while Redis says that nothing it was made from has been written since.
 *
 * Safety: an entry carries versions from before its rows were read. A write bumps its tags after its commit and before it is
 * answered; whoever asks later reads the new version, and the entry no longer counts.
 */
export function createResponseCache<Meta>({ gate, relogio, maxBytes, deadline, onEvent }: ResponseCacheDeps) {
  const entries = new LRUCache<string, CachedResponse<Meta>>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }, key) => body.length + key.length + ENTRY_OVERHEAD,
    dispose: (_entry, _key, reason) => {
      if (reason === 'evict') onEvent('eviction');
    },
  });
  const flights = new Map<string, Promise<Outcome>>();
  let epoch = 0;

  async function run({ produce, ...options }: LoadRequest<Meta>): Promise<Outcome> {
    const trail = createTrail(gate, options);
    try {
      const body = Buffer.from(await deadline.watch(produce(trail)));
      return { provenance: trail.provenance(), body, etag: etagOf(body) };
    } catch (error) {
      return { provenance: trail.provenance(), error };
    }
  }

  /** Whether an outcome made for another request is also right for one that read `known` after it began. */
  async function holds(provenance: Provenance | null, slot: string, known: Versions): Promise<boolean> {
    const begun = epoch;
    if (provenance === null || provenance.changesAt <= relogio.agora().getTime()) return false;
    const missing = provenance.tags.filter((tag) => !known.has(tag));
    const read = missing.length === 0 ? [] : await gate.versions(slot, missing);
    if (read === null) return false;
    const current = new Map([...known, ...missing.map((tag, i) => [tag, read[i] ?? ''] as const)]);
    return begun === epoch && provenance.tags.every((tag, i) => current.get(tag) === provenance.versions[i]);
  }

  return {
    /** What is kept under a key, good or not: its tags are those whose versions to ask for. */
    peek(key: string): CachedResponse<Meta> | undefined {
      return entries.get(key);
    },

    /** Whether an entry is good under the versions that were just read for its tags, in their order. */
    isGood(entry: CachedResponse<Meta>, versions: readonly string[]): boolean {
      const good =
        entry.epoch === epoch &&
        entry.changesAt > relogio.agora().getTime() &&
        entry.versions.every((version, i) => version === versions[i]);
      onEvent(good ? 'hit' : 'stale');
      return good;
    },

    /**
     * Makes a response, once for all that ask for it at the same time, and keeps it. One that joins a load which began before
     * it did takes the outcome only if no write has come between. Rejects with what `produce` throws.
     */
    async load(request: LoadRequest<Meta>): Promise<{ body: Buffer; etag: string }> {
      const { key, slot, known, meta } = request;
      // Without versions nothing can be kept, and nothing shared: a joiner could not tell whether a write came between.
      if (known === null) {
        onEvent('bypass');
        return unwrap(await run(request));
      }
      // In a burst, the first of the others may have finished since this request looked and found nothing.
      const kept = entries.get(key);
      if (kept !== undefined && (await holds(kept, slot, known))) {
        onEvent('coalesced');
        return kept;
      }
      const flight = `${key} ${[...known.values()].join(' ')}`;
      let underWay = flights.get(flight);
      for (let joined = 0; underWay !== undefined && joined < MAX_JOINS; joined += 1) {
        onEvent('coalesced');
        const outcome = await underWay;
        if (await holds(outcome.provenance, slot, known)) return unwrap(outcome);
        // A write came between: of all that waited here, the first loads again, and the others join it.
        const next = flights.get(flight);
        underWay = next === underWay ? undefined : next;
      }

      onEvent('miss');
      const begun = epoch;
      const own = run(request);
      flights.set(flight, own);
      const outcome = await own;
      if (flights.get(flight) === own) flights.delete(flight);
      if ('body' in outcome && outcome.provenance !== null && begun === epoch) {
        const { body, etag, provenance } = outcome;
        entries.set(key, { body, etag, meta, epoch, ...provenance });
      }
      return unwrap(outcome);
    },

    /** Forgets everything, loads under way included: after Redis was away, versions may have missed a write. */
    clear(): void {
      epoch += 1;
      entries.clear();
      flights.clear();
    },

    /** Bytes kept, and entries. */
    get size(): { bytes: number; entries: number } {
      return { bytes: entries.calculatedSize, entries: entries.size };
    },
  };
}

/** A strong validator: equal bytes, equal tag. */
export function etagOf(body: Buffer | string): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

function unwrap(outcome: Outcome): { body: Buffer; etag: string } {
  if ('error' in outcome) throw outcome.error;
  return outcome;
}
