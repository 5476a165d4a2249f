import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { unchanged } from '../gate/moment.ts';
import type { About } from '../gate/looks.ts';
import type { Gate } from '../gate/gate.ts';
import type { Moment, TagState } from '../gate/moment.ts';
import type { Relogio } from '../timing/relogio.ts';
import { createTrail } from './trail.ts';
import type { Provenance, Trail } from './trail.ts';

/** A response ready to be sent. */
export interface CachedResponse<Meta> extends Provenance {
  readonly key: string;
  /** What the maker of the response stores beside it, for its own use. */
  readonly meta: Meta;
  readonly body: Buffer;
  /** Strong, with its quotes. */
  readonly etag: string;
}

/** What happened at the cache, for metrics. */
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
  /** The gate's moment for this request; null when Redis did not answer. */
  readonly since: Moment | null;
  /** Tags that every answer depends on. */
  readonly implied: readonly string[];
  readonly meta: Meta;
  /** Makes the body, and records on the trail what it depends on. It has a deadline of its own. */
  readonly produce: (trail: Trail) => Promise<string>;
}

type Loaded = Pick<CachedResponse<unknown>, 'body' | 'etag' | 'about'>;

type Outcome =
  | { readonly provenance: Provenance | null; readonly body: Buffer; readonly etag: string; readonly about: About }
  | { readonly provenance: Provenance | null; readonly error: unknown };

/** A request joins other loads at most this often; when writes overtake all of them, it loads for itself. */
const MAX_JOINS = 3;

/**
 * Nothing is kept for longer than this. It bounds the age of what nobody told the cache of, as rows that SQL wrote
 * while no trigger fired.
 */
const OLDEST_MS = 10 * 60_000;

/** Bytes of an entry besides its body: key, tags and the objects themselves. */
const ENTRY_OVERHEAD = 1400;

export type ResponseCache<Meta> = ReturnType<typeof createResponseCache<Meta>>;

/**
 * Responses that this process keeps. Each is good only while Redis confirms that nothing it was made from has been
 * written since.
 *
 * Why this is safe: an entry carries a moment from before its rows were read. A write bumps its tags after its commit
 * and before it is answered. A request that comes later sees a bump from after that moment, so the entry is not used.
 * The tags may be known only after the rows were read.
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
      return { provenance: trail.provenance(), body, etag: etagOf(body), about: trail.about };
    } catch (error) {
      return { provenance: trail.provenance(), error };
    }
  }

  /** Whether an outcome that was made for another request is also right for a request whose moment is `now`. */
  async function holds(provenance: Provenance | null, slot: string, now: Moment): Promise<boolean> {
    if (provenance === null || provenance.changesAt <= relogio.agora().getTime()) return false;
    const { since, tags } = provenance;
    if (since.era === now.era && since.bumps >= now.bumps) return true;
    const tagState = await gate.read(slot, tags);
    return tagState !== null && unchanged(since, tagState);
  }

  /** Keeps an answer unless a newer one of the same key is kept. `weed` then checks whether it is still good. */
  function keep(entry: CachedResponse<Meta>): boolean {
    const kept = entries.get(entry.key);
    const older = kept?.since.era === entry.since.era && kept.since.bumps > entry.since.bumps;
    if (older || entry.changesAt <= relogio.agora().getTime()) return false;
    entries.set(entry.key, entry);
    return true;
  }

  /** Forgets an entry that a write has made stale meanwhile: it would never be served, and would take up room. */
  async function weed(slot: string, entry: CachedResponse<Meta>): Promise<void> {
    const now = await gate.read(slot, entry.tags);
    if (now === null || !unchanged(entry.since, now)) forget(entry);
  }

  function forget(entry: CachedResponse<Meta>): void {
    if (entries.peek(entry.key) === entry) entries.delete(entry.key);
  }

  return {
    /** What is kept under a key, good or not. Its tags are those that the gate has to be asked for. */
    peek(key: string): CachedResponse<Meta> | undefined {
      return entries.get(key);
    },

    /** Whether an entry is good, by a tag state that begins with the entry's tags, in their order. */
    isGood(entry: CachedResponse<Meta>, tagState: TagState): boolean {
      const good =
        entry.changesAt > relogio.agora().getTime() && unchanged(entry.since, tagState, 0, entry.tags.length);
      onEvent(good ? 'hit' : 'stale');
      // A stale entry never becomes good again.
      if (!good) forget(entry);
      return good;
    },

    /**
     * Makes a response and keeps it. Requests that ask for it at the same time share one load; a request that joins a
     * load which began earlier uses its outcome only when no write came in between. Rejects with what `produce` throws.
     */
    async load(request: LoadRequest<Meta>): Promise<Loaded> {
      const { key, slot, since, meta } = request;
      // Without a moment nothing can be kept or shared: it could not be told whether a write came in between.
      if (since === null) {
        onEvent('bypass');
        return unwrap(await run(request));
      }
      // Another request may have stored the answer since this one looked and found nothing.
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
        // A write came in between. The first of the requests that waited here loads again, and the others join it.
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
        // Not awaited, so that the answer goes out at once.
        if (keep(entry)) void weed(slot, entry);
      }
      return unwrap(outcome);
    },

    /** How many bytes and how many entries are kept. */
    get size(): { bytes: number; entries: number } {
      return { bytes: entries.calculatedSize, entries: entries.size };
    },
  };
}

/**
 * The text's bytes in memory of their own. A small Buffer from Node's pool would keep the whole pool of 8 KiB alive.
 */
function unpooled(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** A strong validator: equal bytes have an equal tag. */
export function etagOf(body: Buffer | string): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

function unwrap(outcome: Outcome): Loaded {
  if ('error' in outcome) throw outcome.error;
  return outcome;
}
