import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { requestIdOf, sourceIp } from '../../platform/http/request.ts';
import type { Fault, Origin, RawResponse } from '../../platform/http/server.ts';
import { toJson } from '../../platform/json.ts';
import type { CachedResponse } from '../../platform/cache/response-cache.ts';
import { answerCors } from '../browsers/cors.ts';
import type { CorsRules } from '../browsers/cors.ts';
import type { Cursors } from './cursors.ts';
import { countAtLast, limited, overLimit, tooCurious } from './door.ts';
import type { Counted, Door, Entry } from './door.ts';
import type { Envelope } from '../reply/envelope.ts';
import { createExchange, seenOf } from './exchange.ts';
import { Failure, toldOf } from '../reply/failure.ts';
import type { Errors } from '../reply/failure.ts';
import { requirePermission } from './handler.ts';
import type { Ports } from './ports.ts';
import type { Input } from '../input/input.ts';
import type { Observe } from './observation.ts';
import { cacheName, createAnonymousIndex, createExcuses, createListIndex } from './reading.ts';
import { COMMON_HEADERS, JSON_UTF8, limitHeaders, replyReady, sendReady } from '../reply/reply.ts';
import type { Route, SurfaceTypes } from './route.ts';
import { createRouter } from './router.ts';

/** A page that needs no credential: its bytes and their media type. */
export interface OpenPage {
  readonly type: string;
  readonly content: Buffer;
}

interface OpenPages {
  /** Finds a page by its path below the base address; null when there is none. */
  readonly find: (path: string) => Promise<OpenPage | null>;
  /** Matches the URL of every page. It may also match other URLs. */
  readonly pattern: RegExp;
  readonly policy: string;
}

export interface SurfaceDeps<T extends SurfaceTypes> {
  /** The address that all paths of the surface are below. */
  readonly base: string;
  readonly routes: readonly Route<T>[];
  readonly door: Door<T['session'], T['code']>;
  readonly ports: Ports<T>;
  readonly input: Input;
  readonly envelope: Envelope;
  readonly errors: Errors<T['code'], T['session']>;
  /** Of surfaces with lists that are read by cursors. */
  readonly cursors?: Cursors<T>;
  /** Of surfaces that pages of other origins may call. Preflights are counted by `count`. */
  readonly cors?: CorsRules & { readonly count: (ip: string) => Promise<Counted> };
  readonly pages?: OpenPages;
  readonly logger: Logger;
  /** Called for each answer. */
  readonly observe: Observe<T>;
  /** Number of trusted proxies in front of the service. */
  readonly proxies: number;
}

export interface Surface {
  /** Whether a request is below the surface's base address. */
  readonly owns: (request: IncomingMessage) => boolean;
  /** Answers without Koa what the cache can answer. Every other request goes to `next`, which must run `middleware`. */
  readonly receive: (request: IncomingMessage, response: ServerResponse, next: () => void) => Promise<void>;
  /** Runs the layers in this order: errors and headers, the door, the cache, the routes. */
  readonly middleware: Middleware;
  /** Makes the answer to what is not a valid HTTP request, with the headers of every response. */
  readonly refuseMalformed: (fault: Fault, origin: Origin) => Promise<RawResponse>;
}

/** What is known about a request once the door has decided. */
interface AtDoor<T extends SurfaceTypes> {
  readonly entry: Entry<T['session'], T['code']>;
  /** What the cache holds for the request, up to date or not. */
  readonly kept: CachedResponse<Route<T>> | undefined;
  /** Whether `kept` is up to date and may be sent. */
  readonly good: boolean;
}

const MALFORMED: Readonly<Record<Fault, string>> = {
  syntax: 'requisição: não é HTTP bem formado.',
  target: 'requisição: o alvo não é um caminho nem um endereço http.',
  host: 'Host: o cabeçalho veio mais de uma vez.',
  late: 'requisição: não chegou inteira a tempo.',
};

/** Builds a surface: the common pipeline, from the parts in which this surface differs from others. */
export function createSurface<T extends SurfaceTypes>(deps: SurfaceDeps<T>): Surface {
  const { base, routes, door, ports, envelope, errors, pages, cors, logger, observe, proxies } = deps;
  const { faults } = errors;
  const { keeping } = ports;
  const route = createRouter(base, routes, { ...deps, faults });
  const readsWholeList = createListIndex(base, routes);
  const isAnonymous = createAnonymousIndex(base, routes);
  const excuseOf = createExcuses(base, routes);
  const exchange = createExchange<T>({
    errors,
    envelope,
    headers: COMMON_HEADERS,
    logger,
    observe,
    settle: async (ctx, told) =>
      countAtLast(ctx, told, errors, async () => door.countNetwork(sourceIp(ctx.req, proxies))),
  });
  /** Requests that were counted at the door and then passed on to Koa, with the time at which they came. */
  const arrivals = new WeakMap<IncomingMessage, { begun: number; atDoor: Promise<AtDoor<T>> }>();

  async function enter(req: IncomingMessage): Promise<AtDoor<T>> {
    if (door.visit !== undefined && isAnonymous(req)) {
      const entry = await door.visit(req, sourceIp(req, proxies));
      return { entry, kept: undefined, good: false };
    }
    let kept: AtDoor<T>['kept'];
    let keptFor: string | undefined;
    const entry = await door.enter(req, sourceIp(req, proxies), (tenantId, reader, rights) => {
      if (keeping === null || req.method !== 'GET' || rights === null) return undefined;
      keptFor = rights.name;
      const url = req.url ?? '';
      const own = keeping.apart === true || readsWholeList(url);
      kept = keeping.cache.peek(cacheName(tenantId, url, rights.name, own ? reader : null));
      return kept;
    });
    // The rights may have changed since the record was known by which the answer was looked for.
    const tagState = entry.admitted && ports.rightsOf(entry.session).name === keptFor ? entry.tagState : null;
    const good = kept !== undefined && tagState !== null && keeping?.cache.isGood(kept, tagState) === true;
    return { entry, kept, good };
  }

  async function receive(req: IncomingMessage, res: ServerResponse, next: () => void): Promise<void> {
    // The middleware alone handles requests that need no credential, those that are refused before the door, and those
    // of pages of other origins, whose answers have headers of their own.
    const { host, origin } = req.headers;
    const isOfPage = cors !== undefined && origin !== undefined;
    if (req.method !== 'GET' || host === undefined || isOfPage || pages?.pattern.test(req.url ?? '') === true) {
      next();
      return;
    }
    const begun = performance.now();
    const atDoor = enter(req);
    const ready = await atDoor.then(fromCache, () => null);
    if (ready === null) {
      arrivals.set(req, { begun, atDoor });
      next();
      return;
    }
    const { limit, session, kept } = ready;
    const requestId = requestIdOf(req);
    sendReady(req, res, requestId, limit, kept);
    observe(performance.now() - begun, res.statusCode, requestId, { route: kept.meta, session });
  }

  /** The kept answer, when the request was admitted and may have it; else null. */
  function fromCache({ entry, kept, good }: AtDoor<T>) {
    if (!good || kept === undefined || !entry.admitted || entry.looked?.allowed === false) return null;
    const { permission } = kept.meta;
    if (permission !== null && !ports.may(entry.session, permission)) return null;
    return { limit: entry.limit, session: entry.session, kept };
  }

  async function answer(ctx: Context, requestId: string): Promise<void> {
    // RFC 9112, section 3.2. Without a Host it is unknown which provider's panel was meant.
    if (ctx.req.headers.host === undefined && ctx.req.httpVersion !== '1.0') {
      throw new Failure(faults.invalid, 'Host: falta o cabeçalho.');
    }
    if (cors !== undefined && (await answerCors(ctx, cors))) {
      const counted = await cors.count(sourceIp(ctx.req, proxies));
      ctx.set(limitHeaders(counted.limit));
      if (counted.exceeded) throw limited(faults.limited, counted.limit);
      return;
    }
    const page = await openPage(ctx);
    if (page !== null) {
      const { limit, exceeded } = await door.countNetwork(sourceIp(ctx.req, proxies));
      ctx.set(limitHeaders(limit));
      if (exceeded) throw limited(faults.limited, limit);
      ctx.set('Content-Security-Policy', pages?.policy ?? '');
      ctx.type = page.type;
      ctx.body = page.content;
      return;
    }
    const { entry, kept, good } = await (arrivals.get(ctx.req)?.atDoor ?? enter(ctx.req));
    ctx.set(limitHeaders(entry.limit));
    if (!entry.admitted) {
      const excuse = excuseOf(ctx, entry.refusal);
      if (excuse !== null) {
        seenOf<T>(ctx).route = excuse.route;
        ctx.type = JSON_UTF8;
        ctx.body = toJson(envelope.success({ data: excuse.data }));
        return;
      }
      throw entry.refusal === faults.limited ? limited(faults.limited, entry.limit) : new Failure(entry.refusal);
    }
    const { session, tagState } = entry;
    const seen = seenOf<T>(ctx);
    seen.session = session;
    if (good && kept !== undefined) {
      seen.route = kept.meta;
      requirePermission(kept.meta, session, { ports, faults });
      if (entry.looked?.allowed === false) throw tooCurious(faults.tooCurious ?? faults.limited, entry.looked);
      replyReady(ctx, kept);
      return;
    }
    const since = tagState === null ? null : { era: tagState.era, bumps: tagState.bumps };
    await route(ctx, { session, since, requestId });
  }

  async function openPage(ctx: Context): Promise<OpenPage | null> {
    if (pages === undefined || ctx.method !== 'GET' || !ctx.path.startsWith(`${base}/`)) return null;
    return pages.find(ctx.path.slice(base.length));
  }

  return {
    owns: ({ url = '' }) => url.startsWith(base) && /^(?:[/?#]|$)/.test(url.slice(base.length)),
    receive,
    middleware: async (ctx) => exchange(ctx, async (requestId) => answer(ctx, requestId), arrivals.get(ctx.req)?.begun),

    async refuseMalformed(fault, origin) {
      const begun = performance.now();
      const requestId = requestIdOf(origin);
      const counted = await door.countNetwork(sourceIp(origin, proxies));
      const {
        code,
        status,
        message,
        headers,
        faults: wrong,
      } = toldOf(errors, overLimit(faults.limited, counted) ?? new Failure(faults.invalid, MALFORMED[fault]));
      observe(performance.now() - begun, status, requestId, { code });
      return {
        status,
        headers: {
          'X-Request-Id': requestId,
          ...COMMON_HEADERS,
          'Content-Type': JSON_UTF8,
          ...limitHeaders(counted.limit),
          ...headers,
        },
        body: toJson(envelope.failure(code, message, wrong)),
      };
    },
  };
}
