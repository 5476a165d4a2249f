import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Provedor } from '../domain/provedores/provedores.types.ts';
import { PROVEDOR_TAG } from '../domain/tags.ts';
import type { Door, Entry } from '../kit/http/door.ts';
import { unchanged } from '../platform/gate/gate.ts';
import type { Gate, Moment, Reading } from '../platform/gate/gate.ts';
import { tenantSlot } from '../platform/gate/keys.ts';
import { requestHost } from '../platform/http/request.ts';
import type { RefusalReason } from '../platform/metrics/metrics.ts';
import type { Relogio } from '../platform/timing/relogio.ts';
import { isAnothersHost } from './hosts.ts';
import type { Hosts } from './hosts.ts';
import { toLimit } from './limits.ts';
import type { NetworkLimit } from './limits.ts';

/** What the text of a credential says by itself. */
interface Shape {
  readonly tenantId: number;
  /** Tells it apart from the tenant's others, without saying anything of it: its window's name, and the tag that its record bears. */
  readonly name: string;
  readonly hash: string;
}

/** A kind of credential, such as API keys: how it is sent, read, found and judged, and what a request is refused with. */
export interface CredentialKind<Record extends { readonly provedor: Provedor }, Session, Code> {
  /** What a request carries; null: nothing. */
  readonly textOf: (request: IncomingMessage) => string | null;
  /** Judged without asking anyone; null: no credential has that text. */
  readonly shapeOf: (text: string) => Shape | null;
  readonly find: (hash: string) => Promise<Record | null>;
  /** Why it may be used no longer; null: it may. */
  readonly endedBy: (record: Record, now: Date) => Code | null;
  /** Why it may not be used from an address; null: it may. */
  readonly barredFrom: (record: Record, ip: string) => Code | null;
  /** Requests in a minute. */
  readonly limitOf: (record: Record) => number;
  readonly sessionOf: (record: Record, ip: string, shape: Shape) => Session;
  readonly refusals: { readonly absent: Code; readonly unknown: Code; readonly limited: Code };
}

export interface DoorDeps<Record extends { readonly provedor: Provedor }, Session, Code> {
  readonly kind: CredentialKind<Record, Session, Code>;
  readonly gate: Gate;
  readonly hosts: Hosts;
  readonly countNetwork: NetworkLimit;
  readonly relogio: Relogio;
  /** Told of each request refused by a limit, and of whose window was full. */
  readonly onRefusal: (reason: RefusalReason) => void;
}

/** A credential whose shape is right, and its record as of a moment, once it was looked up. */
interface Known<Record> {
  readonly text: string;
  readonly shape: Shape;
  kept: Kept<Record> | null;
}

interface Kept<Record> {
  readonly record: Record;
  readonly since: Moment;
  /** When it was last read, or tried to be; milliseconds since the epoch. */
  readAt: number;
}

/**
 * A record is read again after this long though nobody said that it changed: who revokes a credential by SQL while no worker runs is
 * heard by nobody. From half of it on it is read as soon as no other is: the records of thousands of credentials, read together after a
 * start, would be read together ever after, and every request would wait meanwhile.
 */
const READ_AGAIN_MS = 10_000;

/** The text of a valid credential stays in memory while it is used: to judge it each time costs more than all else here. */
const MOST_KNOWN = 20_000;
const MOST_EXISTING = 100_000;

/**
 * The door of a surface: in one round trip to Redis a request is counted and its credential's record, kept in process,
 * is confirmed or found out of date. Order of the checks: `decisions.md`, "Order of checks on the public API".
 */
export function createDoor<Record extends { readonly provedor: Provedor }, Session, Code>(
  deps: DoorDeps<Record, Session, Code>,
): Door<Session, Code> {
  const { kind, gate, hosts, countNetwork, relogio, onRefusal } = deps;
  const { refusals } = kind;
  const known = new LRUCache<string, Known<Record>>({ max: MOST_KNOWN });
  const loads = new Map<string, Promise<Record | null>>();
  /** Records that are being read again. */
  let readingAgain = 0;
  /** By their hash, credentials that exist, and they do from then on: Redis shall hold nothing of those that are invented. */
  const existing = new LRUCache<string, true>({
    max: MOST_EXISTING,
    // What is undefined is not kept.
    fetchMethod: async (hash) => ((await kind.find(hash)) === null ? undefined : true),
  });

  /** Refuses a request that no credential answers for; it is counted by its network. */
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
   * A credential's record, read after `reading`. Concurrent loads are shared only where their readings say the same of the
   * credential and its provider, whose tags are the reading's last two: a request that saw a newer write must not be served by
   * a load that began before it.
   */
  async function load(one: Known<Record>, reading: Reading | null): Promise<Record | null> {
    const { hash } = one.shape;
    if (reading === null) return kind.find(hash);
    const name = `${hash} ${reading.era} ${reading.touched.slice(-2).join(' ')}`;
    const underWay = loads.get(name);
    if (underWay !== undefined) return underWay;
    const readAt = relogio.agora().getTime();
    const own = kind
      .find(hash)
      .then((record) => {
        one.kept = record === null ? null : { record, since: reading, readAt };
        // Only those that exist are kept: invented ones must not push them out.
        if (record !== null) known.set(one.text, one);
        return record;
      })
      .finally(() => loads.delete(name));
    loads.set(name, own);
    return own;
  }

  /** What is kept of a credential, when neither it nor its provider, the reading's last two tags, has been written since. */
  function goodOf({ kept }: Known<Record>, reading: Reading | null): Kept<Record> | null {
    if (kept === null || reading === null) return null;
    return unchanged(kept.since, reading, reading.touched.length - 2) ? kept : null;
  }

  function recordOf(one: Known<Record>, reading: Reading | null): Record | null | Promise<Record | null> {
    const good = goodOf(one, reading);
    if (good === null) return load(one, reading);
    const now = relogio.agora().getTime();
    const age = now - good.readAt;
    const mayWait = age >= 0 && age < READ_AGAIN_MS;
    if (mayWait && (age < READ_AGAIN_MS / 2 || readingAgain > 0)) return good.record;
    // One request waits for it, and the others go on meanwhile. Without the database, what Redis confirms still counts.
    good.readAt = now;
    readingAgain += 1;
    return load(one, reading)
      .catch(() => good.record)
      .finally(() => {
        readingAgain -= 1;
      });
  }

  return {
    async enter(request, ip, tagsOf) {
      const text = kind.textOf(request);
      if (text === null) return refuse(ip, refusals.absent);
      const one = know(text);
      if (one === null) return refuse(ip, refusals.unknown);

      const { shape } = one;
      const { tenantId, name, hash } = shape;
      if (one.kept === null && (existing.get(hash) ?? (await existing.fetch(hash))) !== true) {
        return refuse(ip, refusals.unknown);
      }
      const admission = await gate.admit(tenantSlot(tenantId), name, [...tagsOf(tenantId, name), name, PROVEDOR_TAG]);
      const { reading } = admission;
      // What is in memory is not awaited: on a hit, each turn of the microtask queue would count.
      const found = recordOf(one, reading);
      const record = found instanceof Promise ? await found : found;
      if (record === null || record.provedor.id !== tenantId) return refuse(ip, refusals.unknown);
      const elsewhere = isAnothersHost(requestHost(request), record.provedor, hosts);
      if (elsewhere instanceof Promise ? await elsewhere : elsewhere) return refuse(ip, refusals.unknown);
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
      return { admitted: true, limit, session: kind.sessionOf(record, ip, shape), reading };
    },

    countNetwork,
  };
}
