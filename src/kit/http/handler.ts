import type { Context } from 'koa';
import type { Moment } from '../../platform/gate/gate.ts';
import { tenantSlot } from '../../platform/gate/keys.ts';
import { toJson } from '../../platform/json.ts';
import { etagOf } from '../../platform/cache/response-cache.ts';
import type { ResponseCache } from '../../platform/cache/response-cache.ts';
import { untracked } from '../../platform/cache/trail.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { Envelope } from '../reply/envelope.ts';
import { Failure } from '../reply/failure.ts';
import type { Faults } from '../reply/failure.ts';
import { sendFile } from '../reply/file.ts';
import type { FileToSend } from '../reply/file.ts';
import type { Accepted, Body, Input } from '../input/input.ts';
import { openCursor } from './cursors.ts';
import type { Cursors } from './cursors.ts';
import { cacheName, isWhole } from './reading.ts';
import { JSON_UTF8, matchesStrongly, replyReady } from '../reply/reply.ts';
import type { Rights } from './rights.ts';
import type { Ready } from '../reply/reply.ts';
import type { FileRoute, ReadRoute, Route, SurfaceTypes, WriteRoute } from './route.ts';

/** The answer to a write. It is kept, so that the same request sent again gets the same answer. */
interface Written {
  readonly status: number;
  readonly body: string;
}

/** What identifies a repeated request: its Idempotency-Key, and a text that is equal for equal requests. */
export interface Repetition {
  readonly mark: string;
  readonly request: string;
  /** Whether the answer holds a secret, and must not be kept as it is. */
  readonly secret: boolean;
}

/** Where answers are kept, and to whom they belong. */
interface Keeping<T extends SurfaceTypes> {
  readonly cache: ResponseCache<Route<T>>;
  readonly ownerOf: (session: T['session']) => { readonly tenantId: number; readonly reader: string };
  /** Tags that every answer depends on. */
  readonly implied: readonly string[];
  /** Whether each reader has answers of its own, and not only where it reads whole lists. */
  readonly apart?: true;
}

/** How a surface reaches the domain, which the kit itself does not know. */
export interface Ports<T extends SurfaceTypes> {
  /**
   * Runs a read, and records on the trail what the answer depends on. `whole` means a list that nothing narrows. The
   * work may run twice; then the last result is used.
   */
  readonly read: <Value>(
    session: T['session'],
    trail: Trail,
    whole: boolean,
    work: (domain: T['domain']) => Promise<Value>,
  ) => Promise<Value>;
  /**
   * Runs what a request changes as one write, under its Idempotency-Key where it has one. The work may run several
   * times; only the last run takes effect.
   */
  readonly write: (
    session: T['session'],
    repetition: Repetition | null,
    work: (domain: T['domain'], writes: T['writes']) => Promise<Written>,
  ) => Promise<Written>;
  /** The same for routes whose services write by themselves; of surfaces that have such routes. */
  readonly once?: (session: T['session'], repetition: Repetition, work: () => Promise<Written>) => Promise<Written>;
  readonly may: (session: T['session'], permission: T['permission']) => boolean;
  /** A permission as callers know it; without it, as it is declared. */
  readonly nameOf?: (permission: T['permission']) => string;
  readonly rightsOf: (session: T['session']) => Rights;
  /** Why a caller may not use a route; without it, the permission is named. */
  readonly lacking?: (session: T['session'], permission: T['permission']) => Failure<T['code']>;
  /** Null when the surface keeps no answers. */
  readonly keeping: Keeping<T> | null;
  /** Of surfaces with routes whose services write by themselves. */
  readonly services?: T['services'];
}

export interface HandlerDeps<T extends SurfaceTypes> {
  readonly ports: Ports<T>;
  readonly input: Input;
  readonly envelope: Pick<Envelope, 'success'>;
  readonly faults: Faults<T['code']>;
  /** Of surfaces with lists that are read by cursors. */
  readonly cursors?: Cursors<T>;
}

/** What is known about a request that the door has admitted. */
export interface Arrival<T extends SurfaceTypes> {
  readonly session: T['session'];
  /** The gate's moment for this request, taken before anything was read; null when Redis did not answer. */
  readonly since: Moment | null;
  readonly requestId: string;
  /** The path's parameters, as they were sent. */
  readonly params: Readonly<Record<string, string>>;
  /** The URL's query, as it was sent, without `?`. */
  readonly query: string;
}

/** All that a route is asked with, whether its request came by HTTP or in another way. */
export interface Asked<T extends SurfaceTypes> extends Arrival<T> {
  /** Path and query, as they name the answer in the cache. */
  readonly url: string;
  readonly path: string;
  readonly body: Body;
  /** The Idempotency-Key, if there is one. */
  readonly mark: string | undefined;
  /** If-Match, if it was sent. */
  readonly ifMatch: string | undefined;
}

/** What a route answers. */
export type Answered =
  | { readonly kind: 'read'; readonly ready: Ready }
  | (Written & { readonly kind: 'written'; readonly location: string | null })
  | { readonly kind: 'file'; readonly file: FileToSend };

/** Ends the request unless the caller may use the route. @throws Failure */
export function requirePermission<T extends SurfaceTypes>(
  { permission, anonymous }: Route<T>,
  session: T['session'],
  { ports, faults }: Pick<HandlerDeps<T>, 'ports' | 'faults'>,
): void {
  if (anonymous || permission === null || ports.may(session, permission)) return;
  if (ports.lacking !== undefined) throw ports.lacking(session, permission);
  const named = ports.nameOf?.(permission) ?? JSON.stringify(permission);
  throw new Failure(faults.forbidden, `Esta rota exige a permissão ${named}.`);
}

/**
 * What a route does with an admitted request: it checks permission and input and runs the work, in this order. Nothing
 * in it knows how the request came.
 */
export function createRunner<T extends SurfaceTypes>(route: Route<T>, deps: HandlerDeps<T>) {
  const readInput = deps.input.of(route);
  const work = workOf(route, deps);
  return async (asked: Asked<T>): Promise<Answered> => {
    requirePermission(route, asked.session, deps);
    return work(asked, await readInput(asked, asked.session));
  };
}

/** Runs a route for a request that came by HTTP, and replies. */
export function createHandler<T extends SurfaceTypes>(route: Route<T>, deps: HandlerDeps<T>) {
  const run = createRunner(route, deps);
  return async (ctx: Context, arrival: Arrival<T>): Promise<void> => {
    const { 'if-match': ifMatch, 'idempotency-key': mark } = ctx.req.headers;
    const answered = await run({
      ...arrival,
      url: ctx.url,
      path: ctx.path,
      body: { sent: ctx },
      mark: mark === undefined ? undefined : ctx.get('Idempotency-Key'),
      ifMatch,
    });
    if (answered.kind === 'read') return replyReady(ctx, answered.ready);
    if (answered.kind === 'file') return sendFile(ctx, answered.file, deps.faults.range);
    if (answered.location !== null) ctx.set('Location', answered.location);
    ctx.status = answered.status;
    ctx.type = JSON_UTF8;
    ctx.body = answered.body;
  };
}

type Work<T extends SurfaceTypes> = (asked: Asked<T>, accepted: Accepted) => Promise<Answered>;

function workOf<T extends SurfaceTypes>(route: Route<T>, deps: HandlerDeps<T>): Work<T> {
  if (route.kind === 'read') return reading(route, deps);
  return route.kind === 'write' ? writing(route, deps) : opening(route, deps);
}

function reading<T extends SurfaceTypes>(route: ReadRoute<T>, { ports, envelope, cursors }: HandlerDeps<T>): Work<T> {
  const { read, keeping } = ports;
  return async ({ session, since, requestId, query: sent, url }, { params, query }) => {
    const whole = isWhole(route.reading, sent);
    const cursor = openCursor(route, session, params, query, cursors);
    const produce = async (trail: Trail): Promise<string> =>
      read(session, trail, whole, async (domain) => {
        const { after } = cursor;
        const result = await route.run({ params, query, session, domain, services: ports.services, requestId, after });
        return toJson(envelope.success(cursor.answer(result, trail)));
      });
    if (keeping === null || !route.kept) {
      const body = Buffer.from(await produce(untracked));
      return { kind: 'read', ready: { body, etag: etagOf(body) } };
    }
    const { cache, ownerOf, implied } = keeping;
    const { tenantId, reader } = ownerOf(session);
    const ready = await cache.load({
      key: cacheName(tenantId, url, ports.rightsOf(session).name, whole || keeping.apart === true ? reader : null),
      slot: tenantSlot(tenantId),
      since,
      implied,
      meta: route,
      produce,
    });
    return { kind: 'read', ready };
  };
}

function writing<T extends SurfaceTypes>(route: WriteRoute<T>, { ports, envelope, faults }: HandlerDeps<T>): Work<T> {
  if (route.acts) {
    const { services, once } = ports;
    if (services === undefined || once === undefined) throw new Error(`${route.path}: its surface has no services`);
    return async (asked, { params, query, body: sent }) => {
      const { session, requestId } = asked;
      const repetition = repetitionOf(route, asked, query, sent, faults.invalid);
      const act = async (): Promise<Written> => {
        const { data } = await route.run({ params, query, body: sent, session, services, requestId });
        return { status: route.success, body: toJson(envelope.success({ data })) };
      };
      const written = repetition === null ? await act() : await once(session, repetition, act);
      return { kind: 'written', ...written, location: null };
    };
  }
  const { services } = ports;
  return async (asked, { params, query, body: sent }) => {
    const { session, requestId } = asked;
    const repetition = repetitionOf(route, asked, query, sent, faults.invalid);
    await route.before?.({ params, query, body: sent, session, services, requestId });
    const requireMatch = matching(asked.ifMatch, envelope, faults);
    const written = await ports.write(session, repetition, async (domain, writes) => {
      const call = { params, query, body: sent, session, domain, writes, requestId, requireMatch };
      const { data, existed } = await route.run(call);
      return { status: existed === true ? 200 : route.success, body: toJson(envelope.success({ data })) };
    });
    const location = route.location === null ? null : route.location(written.body);
    return { kind: 'written', status: written.status, body: written.body, location };
  };
}

/** See `requireMatch` of a route's call. */
function matching<T extends SurfaceTypes>(
  wanted: string | undefined,
  envelope: HandlerDeps<T>['envelope'],
  faults: Faults<T['code']>,
): (read: () => Promise<unknown>) => Promise<void> {
  return async (read) => {
    if (wanted === undefined) return;
    const current = Buffer.from(toJson(envelope.success({ data: await read() })));
    if (matchesStrongly(wanted, etagOf(current))) return;
    throw new Failure(faults.stale ?? faults.invalid);
  };
}

/** A file does not go through the cache: its bytes are already stored, and there are too many of them. */
function opening<T extends SurfaceTypes>(route: FileRoute<T>, { ports }: HandlerDeps<T>): Work<T> {
  return async ({ session, requestId }, { params, query }) => {
    const file = await ports.read(session, untracked, false, async (domain) =>
      route.open({ params, query, session, domain, requestId }),
    );
    return { kind: 'file', file };
  };
}

/** Null when the request has no Idempotency-Key, or the route takes none. @throws Failure when the key is malformed. */
function repetitionOf(
  { method, repeatable, secret }: Pick<WriteRoute<SurfaceTypes>, 'method' | 'repeatable' | 'secret'>,
  { mark, path }: Pick<Asked<never>, 'mark' | 'path'>,
  query: unknown,
  body: unknown,
  invalid: string,
): Repetition | null {
  if (!repeatable || mark === undefined) return null;
  if (!/^[!-~]{1,255}$/.test(mark)) {
    throw new Failure(invalid, 'Idempotency-Key: de 1 a 255 caracteres ASCII visíveis, sem espaços.');
  }
  const asked = sorted(query);
  // Answers that are kept already were marked without a query.
  const parts = [method, path, sorted(body), ...(asked.length > 0 ? [asked] : [])];
  return { mark, request: JSON.stringify(parts), secret };
}

const sorted = (fields: unknown): [string, unknown][] =>
  Object.entries(fields ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
