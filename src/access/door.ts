import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Procedencia } from '../domain/actor.ts';
import type { Provedor } from '../domain/provedores/provedores.types.ts';
import { PROVEDOR_TAG } from '../domain/tags.ts';
import type { Door, Entry } from '../kit/http/door.ts';
import type { Rights } from '../kit/rights/rights.ts';
import { asManyAs } from '../platform/as-many.ts';
import { unchanged } from '../platform/gate/moment.ts';
import type { Gate } from '../platform/gate/gate.ts';
import type { Moment, TagState } from '../platform/gate/moment.ts';
import { lookCall } from '../platform/gate/looks.ts';
import { tenantSlot } from '../platform/gate/keys.ts';
import { requestHost, requestIdOf } from '../platform/http/request.ts';
import type { RefusalReason } from '../platform/metrics/metrics.ts';
import type { Relogio } from '../platform/timing/relogio.ts';
import { isAnothersHost } from './hosts.ts';
import type { Hosts } from './hosts.ts';
import { toLimit } from './limits.ts';
import type { NetworkLimit } from './limits.ts';

/** What can be read from the text of a credential, without a look-up. */
export interface Shape {
  readonly tenantId: number;
  /**
   * A name that is unique among the tenant's credentials and reveals nothing of the secret. It names the credential's
   * window, and it is the tag of its record.
   */
  readonly name: string;
  readonly hash: string;
}

/**
 * A kind of credential, such as API keys: how it is read from a request, looked up and checked, and the codes of
 * refusals.
 */
export interface CredentialKind<Record extends { readonly provedor: Provedor }, Session, Code> {
  /** The credential's text in a request; null when the request carries none. */
  readonly textOf: (request: IncomingMessage) => string | null;
  /** Checks the text without a look-up; null when no credential can have that text. */
  readonly shapeOf: (text: string) => Shape | null;
  readonly find: (hash: string) => Promise<Record | null>;
  /** The code that says why the credential is no longer valid; null when it is valid. */
  readonly endedBy: (record: Record, now: Date) => Code | null;
  /** The code that says why the credential may not be used from this address; null when it may. */
  readonly barredFrom: (record: Record, ip: string) => Code | null;
  /** Requests allowed in a minute. */
  readonly limitOf: (record: Record) => number;
  readonly sessionOf: (record: Record, from: Procedencia, shape: Shape) => Session;
  /** It is asked for each request, so it only looks up what was worked out with the record. */
  readonly rightsOf: (record: Record) => Rights;
  /** Called for each request that is admitted, before it is answered; what it does is added to the time of every one. */
  readonly onAdmitted?: (record: Record) => void;
  /** `unknown` is told the text, which may show what kind of credential it was meant to be. */
  readonly refusals: { readonly absent: Code; readonly unknown: (text: string) => Code; readonly limited: Code };
}

export interface DoorDeps<Record extends { readonly provedor: Provedor }, Session, Code> {
  readonly kind: CredentialKind<Record, Session, Code>;
  readonly gate: Gate;
  readonly hosts: Hosts;
  readonly countNetwork: NetworkLimit;
  readonly relogio: Relogio;
  /** Until when tags say of everything that was committed; milliseconds since the epoch. */
  readonly toldUntil: () => number;
  /** Called for each request that a limit refuses, with the kind of window that was full. */
  readonly onRefusal: (reason: RefusalReason) => void;
}

/** A credential whose shape is valid. `kept` is null until its record has been loaded. */
interface Known<Record> {
  readonly text: string;
  readonly shape: Shape;
  kept: Kept<Record> | null;
}

interface Kept<Record> {
  readonly record: Record;
  readonly since: Moment;
  /** When the record was last read, or the last attempt began; milliseconds since the epoch. */
  readAt: number;
}

/**
 * A record that no tag says has changed is read again after this time, unless tags are known to say of everything that
 * was committed meanwhile: a credential may have been revoked by SQL, and nobody relayed it. After half of this time it
 * is read again as soon as no other record is being read: thousands of records that were first read together would
 * otherwise be read together again each time, and all requests would wait.
 */
const READ_AGAIN_MS = 10_000;

/** It is read again after this time whatever tags say: SQL may have written where no trigger fired. */
const OLDEST_MS = 10 * 60_000;

/**
 * Valid credentials whose parsed text stays in memory: parsing it for each request costs more than everything else
 * here.
 */
const MOST_KNOWN = 20_000;
const MOST_EXISTING = 100_000;

/**
 * The door of a surface. One round trip to Redis counts the request, and tells whether the credential's record that
 * this process keeps is still up to date. For the order of the checks see docs/decisions.md, "Order of checks on the
 * public API".
 */
export function createDoor<Record extends { readonly provedor: Provedor }, Session, Code>(
  deps: DoorDeps<Record, Session, Code>,
): Door<Session, Code> {
  const { kind, gate, hosts, countNetwork, relogio, toldUntil, onRefusal } = deps;
  const { refusals } = kind;
  const known = new LRUCache<string, Known<Record>>(asManyAs(MOST_KNOWN));
  const loads = new Map<string, Promise<Record | null>>();
  /** How many records are being read again at this moment. */
  let readingAgain = 0;
  /**
   * Hashes of credentials that exist; a credential never ceases to exist. Only these are counted at the gate, so that
   * invented credentials leave nothing in Redis.
   */
  const existing = new LRUCache<string, true>({
    ...asManyAs(MOST_EXISTING),
    // The LRU cache does not keep `undefined`.
    fetchMethod: async (hash) => ((await kind.find(hash)) === null ? undefined : true),
  });

  /** Refuses a request that has no valid credential, and counts it in the window of its network. */
  async function refuse(ip: string, refusal: Code): Promise<Entry<Session, Code>> {
    const { limit, exceeded } = await countNetwork(ip);
    return { admitted: false, limit, refusal: exceeded ? refusals.limited : refusal };
  }

  function know(text: string): Known<Record> | null {
    const one = known.get(text);
    if (one !== undefined) return one;
    const shape = kind.shapeOf(text);
    return shape === null ? null : { text, shape, kept: null };
  }

  /**
   * Loads a credential's record; `tagState` was taken before. Concurrent loads are shared only when their tag states
   * agree on the credential and its provider (the last two tags): a request that saw a newer write must not be served
   * by a load that began before that write.
   */
  async function load(one: Known<Record>, tagState: TagState | null): Promise<Record | null> {
    const { hash } = one.shape;
    if (tagState === null) return kind.find(hash);
    const name = `${hash} ${tagState.era} ${tagState.touched.slice(-2).join(' ')}`;
    const underWay = loads.get(name);
    if (underWay !== undefined) return underWay;
    const readAt = relogio.agora().getTime();
    const own = kind
      .find(hash)
      .then((record) => {
        one.kept = record === null ? null : { record, since: tagState, readAt };
        // Invented credentials are not kept, because they would push out those that exist.
        if (record !== null) known.set(one.text, one);
        return record;
      })
      .finally(() => loads.delete(name));
    loads.set(name, own);
    return own;
  }

  /**
   * The kept record, when neither the credential nor its provider (the last two tags) has been written since it was
   * read.
   */
  function goodOf({ kept }: Known<Record>, tagState: TagState | null): Kept<Record> | null {
    if (kept === null || tagState === null) return null;
    return unchanged(kept.since, tagState, tagState.touched.length - 2) ? kept : null;
  }

  function recordOf(one: Known<Record>, tagState: TagState | null): Record | null | Promise<Record | null> {
    const good = goodOf(one, tagState);
    if (good === null) return load(one, tagState);
    const now = relogio.agora().getTime();
    const age = now - good.readAt;
    const untold = now - Math.max(good.readAt, toldUntil());
    const mayWait = age >= 0 && untold < READ_AGAIN_MS;
    const isDue = untold >= READ_AGAIN_MS / 2 || age >= OLDEST_MS;
    if (mayWait && (!isDue || readingAgain > 0)) return good.record;
    // One request waits for the statement, and the others go on. While the database is away, a record that Redis
    // confirms still counts.
    good.readAt = now;
    readingAgain += 1;
    return load(one, tagState)
      .catch(() => good.record)
      .finally(() => {
        readingAgain -= 1;
      });
  }

  return {
    async enter(request, ip, keptFor) {
      const text = kind.textOf(request);
      if (text === null) return refuse(ip, refusals.absent);
      const one = know(text);
      if (one === null) return refuse(ip, refusals.unknown(text));

      const { shape } = one;
      const { tenantId, name, hash } = shape;
      if (one.kept === null && (existing.get(hash) ?? (await existing.fetch(hash))) !== true) {
        return refuse(ip, refusals.unknown(text));
      }
      // By the record as it was known until now. Whether that still holds is known only after the round trip.
      const rights = one.kept === null ? null : kind.rightsOf(one.kept.record);
      const asked = keptFor(tenantId, name, rights);
      const tags = [...(asked?.tags ?? []), name, PROVEDOR_TAG];
      const slot = tenantSlot(tenantId);
      const restricted = rights?.restricted ?? null;
      const about = restricted === null ? null : (asked?.about ?? null);
      const look = restricted === null || about === null ? null : lookCall(slot, name, restricted, about);
      const admission = await gate.admit(slot, name, tags, look);
      const { tagState } = admission;
      // A record in memory is used without `await`: on a hit, each extra turn of the microtask queue can be measured.
      const found = recordOf(one, tagState);
      const record = found instanceof Promise ? await found : found;
      if (record === null || record.provedor.id !== tenantId || record.provedor.viveFora)
        return refuse(ip, refusals.unknown(text));
      const elsewhere = isAnothersHost(requestHost(request), record.provedor, hosts);
      if (elsewhere instanceof Promise ? await elsewhere : elsewhere) return refuse(ip, refusals.unknown(text));
      const ended = kind.endedBy(record, relogio.agora());
      if (ended !== null) return refuse(ip, ended);

      const most = kind.limitOf(record);
      const limit = toLimit(admission, most);
      const barred = kind.barredFrom(record, ip);
      if (barred !== null) return { admitted: false, limit, refusal: barred };
      if (admission.count > most) {
        onRefusal('chave');
        return { admitted: false, limit, refusal: refusals.limited };
      }
      kind.onAdmitted?.(record);
      const session = kind.sessionOf(record, { ip, requestId: requestIdOf(request) }, shape);
      return { admitted: true, limit, session, tagState, looked: admission.looked };
    },

    countNetwork,
  };
}
