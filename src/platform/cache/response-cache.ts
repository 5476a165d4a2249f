import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { unchanged } from '../gate/gate.ts';
import type { Gate, Moment, Reading } from '../gate/gate.ts';
import type { Relogio } from '../timing/relogio.ts';
import { createTrail } from './trail.ts';
import type { Provenance, Trail } from './trail.ts';

/** A response ready to be sent. */
export interface CachedResponse<Meta> extends Provenance {
  readonly key: string;
  /** What its maker wants to know of it again. */
  readonly meta: Meta;
  readonly body: Buffer;
  /** Strong, with its quotes. */
  readonly etag: string;
}

/** What happened, for metrics. */
export type CacheEvent = 'hit' | 'miss' | 'stale' | 'coalesced' | 'bypass' | 'eviction';

export interface ResponseCacheDeps {
  readonly gate: Pick<Gate, 'read'>;
  readonly relogio: Relogio;
  readonly maxBytes: number;
  readonly onEvent: (event: CacheEvent) => void;
}

export interface LoadRequest<Meta> {
  readonly key: string;
  readonly slot: string;
  /** What the gate said for this request; null when Redis could not say. */
  readonly since: Moment | null;
  /** Tags that every answer depends on. */
  readonly implied: readonly string[];
  readonly meta: Meta;
  /** Makes the body, naming on the trail what it depends on; ends by itself what takes too long. */
  readonly produce: (trail: Trail) => Promise<string>;
}

type Outcome =
  | { readonly provenance: Provenance | null; readonly body: Buffer; readonly etag: string }
  | { readonly provenance: Provenance | null; readonly error: unknown };

/** A request that keeps joining loads which writes overtake ends by loading for itself. */
const MAX_JOINS = 3;

/** Nothing is kept for longer: what is written past us is told by the worker's relay, and there may be no worker. */
const OLDEST_MS = 60_000;

/** Bytes of an entry besides its body: key, tags and the objects themselves. */
const ENTRY_OVERHEAD = 800;

export type ResponseCache<Meta> = ReturnType<typeof createResponseCache<Meta>>;

/**
 * Responses kept in process, each good only while Redis says that nothing it was made from has been written since.
 *
 * Safety: an entry carries a moment from before its rows were read. A write bumps its tags after its commit and before it is
 * answered, so whoever asks later reads a bump from after that moment, and the entry no longer counts. Which tags they
 * are may be known only from the rows.
 */
export function createResponseCache<Meta>(deps: ResponseCacheDeps) {
  const { gate, relogio, maxBytes, onEvent } = deps;
  const entries = new LRUCache<string, CachedResponse<Meta>>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }, key) => body.length + key.length + ENTRY_OVERHEAD,
    dispose: (_entry, _key, reason) => {
      if (reason === 'evict') onEvent('eviction');
    },
  });
  const flights = new Map<string, Promise<Outcome>>();

  async function run({ produce, since, implied }: LoadRequest<Meta>): Promise<Outcome> {
    const trail = createTrail(since, implied);
    trail.changesAt(new Date(relogio.agora().getTime() + OLDEST_MS));
    try {
      const body = unpooled(await produce(trail));
      return { provenance: trail.provenance(), body, etag: etagOf(body) };
    } catch (error) {
      return { provenance: trail.provenance(), error };
    }
  }

  /** Whether an outcome made for another request is also right for one that came to the gate at `now`. */
  async function holds(provenance: Provenance | null, slot: string, now: Moment): Promise<boolean> {
    if (provenance === null || provenance.changesAt <= relogio.agora().getTime()) return false;
    const { since, tags } = provenance;
    if (since.era === now.era && since.bumps >= now.bumps) return true;
    const reading = await gate.read(slot, tags);
    return reading !== null && unchanged(since, reading);
  }

  /** Keeps an answer that is the newest of its key; `weed` looks whether it is good. */
  function keep(entry: CachedResponse<Meta>): boolean {
    const kept = entries.get(entry.key);
    const older = kept?.since.era === entry.since.era && kept.since.bumps > entry.since.bumps;
    if (older || entry.changesAt <= relogio.agora().getTime()) return false;
    entries.set(entry.key, entry);
    return true;
  }

  /** Forgets an entry whose rows a write has overtaken: it would never be served, and take the room of others. */
  async function weed(slot: string, entry: CachedResponse<Meta>): Promise<void> {
    const now = await gate.read(slot, entry.tags);
    if (now === null || !unchanged(entry.since, now)) forget(entry);
  }

  function forget(entry: CachedResponse<Meta>): void {
    if (entries.peek(entry.key) === entry) entries.delete(entry.key);
  }

  return {
    /** What is kept under a key, good or not: its tags are those to ask the gate for. */
    peek(key: string): CachedResponse<Meta> | undefined {
      return entries.get(key);
    },

    /** Whether an entry is good, by a reading that begins with its tags, in their order. */
    isGood(entry: CachedResponse<Meta>, reading: Reading): boolean {
      const good = entry.changesAt > relogio.agora().getTime() && unchanged(entry.since, reading, 0, entry.tags.length);
      onEvent(good ? 'hit' : 'stale');
      // A stale entry never becomes good again.
      if (!good) forget(entry);
      return good;
    },

    /**
     * Makes a response, once for all that ask for it at the same time, and keeps it. One that joins a load which began before
     * it did takes the outcome only if no write has come between. Rejects with what `produce` throws.
     */
    async load(request: LoadRequest<Meta>): Promise<{ body: Buffer; etag: string }> {
      const { key, slot, since, meta } = request;
      // Without a moment nothing can be kept, and nothing shared: a joiner could not tell whether a write came between.
      if (since === null) {
        onEvent('bypass');
        return unwrap(await run(request));
      }
      // In a burst, the first of the others may have finished since this request looked and found nothing.
      const kept = entries.get(key);
      if (kept !== undefined && (await holds(kept, slot, since))) {
        onEvent('coalesced');
        return kept;
      }
      let underWay = flights.get(key);
      for (let joined = 0; underWay !== undefined && joined < MAX_JOINS; joined += 1) {
        onEvent('coalesced');
        const outcome = await underWay;
        if (await holds(outcome.provenance, slot, since)) return unwrap(outcome);
        // A write came between: of all that waited here, the first loads again, and the others join it.
        const next = flights.get(key);
        underWay = next === underWay ? undefined : next;
      }

      onEvent('miss');
      const own = run(request);
      flights.set(key, own);
      const outcome = await own;
      if (flights.get(key) === own) flights.delete(key);
      if ('body' in outcome && outcome.provenance !== null) {
        const { body, etag, provenance } = outcome;
        const entry = { key, body, etag, meta, ...provenance };
        // Not awaited: the answer goes out meanwhile.
        if (keep(entry)) void weed(slot, entry);
      }
      return unwrap(outcome);
    },

    /** Bytes kept, and entries. */
    get size(): { bytes: number; entries: number } {
      return { bytes: entries.calculatedSize, entries: entries.size };
    },
  };
}

/** The text's bytes in memory of their own: a small Buffer from Node's pool would keep 8 KiB of others' leavings alive. */
function unpooled(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** A strong validator: equal bytes, equal tag. */
export function etagOf(body: Buffer | string): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

function unwrap(outcome: Outcome): { body: Buffer; etag: string } {
  if ('error' in outcome) throw outcome.error;
  return outcome;
}
