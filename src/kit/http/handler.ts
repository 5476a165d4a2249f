import type { Context } from 'koa';
import { tenantSlot } from '../../platform/gate/keys.ts';
import { toJson } from '../../platform/json.ts';
import { etagOf } from '../../platform/cache/response-cache.ts';
import type { About } from '../../platform/gate/looks.ts';
import { untracked } from '../../platform/cache/trail.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { Accepted } from '../input/input.ts';
import { Failure } from '../reply/failure.ts';
import type { Faults } from '../reply/failure.ts';
import { sendFile } from '../reply/file.ts';
import { openCursor } from './cursors.ts';
import type { Answered, Arrival, Asked, HandlerDeps, Repetition, Written } from './ports.ts';
import { cacheName, isWhole } from './reading.ts';
import { createRestriction } from './restriction.ts';
import type { Shown } from './restriction.ts';
import type { Restricted } from '../rights/rights.ts';
import { JSON_UTF8, matchesStrongly, replyReady } from '../reply/reply.ts';
import type { FileRoute, ReadRoute, Route, SurfaceTypes, WriteRoute } from './route.ts';

/** Ends the request unless the caller may use the route. @throws Failure */
export function requirePermission<T extends SurfaceTypes>(
  { permission, anonymous }: Route<T>,
  session: T['session'],
  { ports, faults }: Pick<HandlerDeps<T>, 'ports' | 'faults'>,
): void {
  if (anonymous || permission === null || ports.may(session, permission)) return;
  if (ports.lacking !== undefined) throw ports.lacking(session, permission);
  const written = typeof permission === 'string' ? permission : JSON.stringify(permission);
  const named = ports.nameOf?.(permission) ?? written;
  throw new Failure(faults.forbidden, `Esta rota exige a permissão ${named}.`);
}

/**
 * What a route does with an admitted request: it checks permission and input and runs the work, in this order. Nothing
 * in it knows how the request came.
 */
export function createRunner<T extends SurfaceTypes>(route: Route<T>, deps: HandlerDeps<T>) {
  const { ports, faults } = deps;
  const readInput = deps.input.of(route);
  const restriction = createRestriction(route, ports.people, faults);
  const work = workOf(route, { ...deps, restriction });
  return async (asked: Asked<T>): Promise<Answered> => {
    const { session, query } = asked;
    requirePermission(route, session, deps);
    const { restricted } = ports.rightsOf(session);
    if (restricted === null) return work(asked, await readInput(asked, session), null);
    restriction.require(restricted, query);
    const accepted = await readInput(asked, session);
    const owners = async (): Promise<readonly number[]> =>
      ports.read(session, untracked, false, async (domain) =>
        restriction.ownersOf(domain, { path: route.path, ...accepted }),
      );
    return work(asked, accepted, restricted).catch(async (error: unknown) =>
      restriction.refuse(session, error, owners),
    );
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

type Work<T extends SurfaceTypes> = (
  asked: Asked<T>,
  accepted: Accepted,
  restricted: Restricted | null,
) => Promise<Answered>;

interface WorkDeps<T extends SurfaceTypes> extends HandlerDeps<T> {
  readonly restriction: ReturnType<typeof createRestriction<T>>;
}

function workOf<T extends SurfaceTypes>(route: Route<T>, deps: WorkDeps<T>): Work<T> {
  if (route.kind === 'read') return reading(route, deps);
  return route.kind === 'write' ? writing(route, deps) : opening(route, deps);
}

function reading<T extends SurfaceTypes>(
  route: ReadRoute<T>,
  { ports, envelope, cursors, restriction }: WorkDeps<T>,
): Work<T> {
  const { read, keeping } = ports;
  return async ({ session, since, requestId, query: sent, url }, { params, query }, restricted) => {
    const whole = isWhole(route.reading, sent);
    const cursor = openCursor(route, session, params, query, cursors);
    const produce = async (trail: Trail): Promise<string> =>
      read(session, trail, whole, async (domain) => {
        const { after } = cursor;
        const result = await route.run({ params, query, session, domain, services: ports.services, requestId, after });
        const answer = cursor.answer(result, trail);
        if (restricted === null) return toJson(envelope.success(answer));
        const of = { path: route.path, params, query };
        const { data, about } = await restriction.show(restricted, answer.data, domain, of, sent);
        trail.isAbout(about);
        return toJson(envelope.success({ ...answer, data }));
      });
    if (keeping === null || !route.kept) {
      let about: About = null;
      const body = Buffer.from(await produce({ ...untracked, isAbout: (people) => void (about = people) }));
      if (restricted !== null) await restriction.count(session, about);
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
    if (restricted !== null) await restriction.count(session, ready.about);
    return { kind: 'read', ready };
  };
}

function writing<T extends SurfaceTypes>(
  route: WriteRoute<T>,
  { ports, envelope, faults, restriction }: WorkDeps<T>,
): Work<T> {
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
  return async (asked, { params, query, body: sent }, restricted) => {
    const { session, requestId } = asked;
    const repetition = repetitionOf(route, asked, query, sent, faults.invalid, restricted);
    const of = { path: route.path, params, query, body: sent };
    if (route.before !== null) {
      const read = async <Value>(work: (domain: T['domain']) => Promise<Value>): Promise<Value> =>
        ports.read(session, untracked, false, work);
      // A try of somebody's is not spent by who may not be told of him.
      if (restricted !== null) {
        const named = await read(async (domain) => restriction.ownersOf(domain, of));
        if (named.length > 0) await restriction.count(session, named);
      }
      await route.before({ params, query, body: sent, session, services, requestId, read });
    }
    const written = await ports.write(session, repetition, async (domain, writes) => {
      const shown = async (whole: unknown): Promise<Shown> =>
        restricted === null
          ? { data: whole, about: null }
          : restriction.show(restricted, whole, domain, of, asked.query);
      const requireMatch = matching(asked.ifMatch, envelope, faults, async (whole) => (await shown(whole)).data);
      const call = { params, query, body: sent, session, domain, writes, requestId, requireMatch };
      const { data: whole, existed } = await route.run(call);
      const { data, about } = await shown(whole);
      // What he may not be told he may not do either.
      await restriction.count(session, about);
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
  shown: (data: unknown) => Promise<unknown>,
): (read: () => Promise<unknown>) => Promise<void> {
  return async (read) => {
    if (wanted === undefined) return;
    const current = Buffer.from(toJson(envelope.success({ data: await shown(await read()) })));
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
    return { kind: 'file', file: typeof file === 'function' ? await file() : file };
  };
}

/** Null when the request has no Idempotency-Key, or the route takes none. @throws Failure when the key is malformed. */
function repetitionOf(
  { method, repeatable, secret }: Pick<WriteRoute<SurfaceTypes>, 'method' | 'repeatable' | 'secret'>,
  { mark, path }: Pick<Asked<never>, 'mark' | 'path'>,
  query: unknown,
  body: unknown,
  invalid: string,
  restricted: Restricted | null = null,
): Repetition | null {
  if (!repeatable || mark === undefined) return null;
  if (!/^[!-~]{1,255}$/.test(mark)) {
    throw new Failure(invalid, 'Idempotency-Key: de 1 a 255 caracteres ASCII visíveis, sem espaços.');
  }
  const asked = sorted(query);
  // Answers that are kept already were marked without a query.
  const parts: unknown[] = [method, path, sorted(body), ...(asked.length > 0 ? [asked] : [])];
  // What was kept for a key when it saw more is not given to it later.
  if (restricted !== null) parts.push({ masked: restricted.masked, searchOnly: restricted.searchOnly });
  return { mark, request: JSON.stringify(parts), secret };
}

const sorted = (fields: unknown): [string, unknown][] =>
  Object.entries(fields ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
