import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { KoaAdapter } from '@bull-board/koa';
import Koa from 'koa';
import { BOARD_PATH } from '../http/management.ts';
import type { Board } from '../http/management.ts';
import { countedNetwork, normalizeIp } from '../ip.ts';
import type { Queues } from './queue.ts';

export interface BoardDeps {
  readonly queues: Queues;
  /** Whether Redis can be reached. Without Redis, the board would wait for it. */
  readonly reachable: () => boolean;
  /** Whoever knows it may see, retry and remove any job. The user name is not checked. */
  readonly password: string;
  readonly onError: (error: Error) => void;
}

/** Wrong passwords that a network may send in a minute, and the most networks that are remembered. */
const WRONG_A_MINUTE = 10;
const MINUTE_MS = 60_000;
const MOST_NETWORKS = 10_000;

/**
 * Only scripts of our own host may run. Inline styles are allowed, because the board's first page and React write them.
 */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
} as const;

/** Links to fonts on another host. They are removed; the board's style sheet names fonts to use instead. */
const FOREIGN_LINKS = /<link[^>]+href="https?:[^>]*>/g;

/** bull-board for both queues, protected by HTTP Basic. */
export function createBoard({ queues, reachable, password, onError }: BoardDeps): Board {
  const serverAdapter = new KoaAdapter();
  serverAdapter.setBasePath(BOARD_PATH);
  createBullBoard({
    queues: [
      new BullMQAdapter(queues.rotina, { description: 'curtas e frequentes' }),
      new BullMQAdapter(queues.noite, { description: 'longas: o dia de cada provedor e o que se pede à mão' }),
    ],
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Malha: filas', hideRedisDetails: true } },
  });

  const app = new Koa();
  const guard = createPasswordGuard(password);
  // Refusals are written and not thrown, because Koa removes all headers from the response of a thrown error.
  app.use(async (ctx, next) => {
    ctx.set(HEADERS);
    const refuse = (status: number): void => {
      ctx.status = status;
      ctx.body = ctx.message;
    };
    const verdict = guard(ctx.req);
    if (verdict === 401) ctx.set('WWW-Authenticate', 'Basic realm="Malha: filas", charset="UTF-8"');
    if (verdict === 429) ctx.set('Retry-After', String(MINUTE_MS / 1000));
    if (verdict !== 200) return refuse(verdict);
    // Browsers also send the password with requests that other sites cause.
    if (!['GET', 'HEAD'].includes(ctx.method) && !isSameOrigin(ctx.req)) return refuse(403);
    if (!reachable()) return refuse(503);
    try {
      await next();
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
      return refuse(500);
    }
    if (typeof ctx.body === 'string' && ctx.response.is('html') !== false) {
      ctx.body = ctx.body.replaceAll(FOREIGN_LINKS, '');
    }
  });
  app.use(serverAdapter.registerPlugin());
  app.on('error', onError);
  const respond = app.callback();
  return (request, response) => {
    respond(request, response).catch((error: Error) => {
      onError(error);
      response.destroy();
    });
  };
}

/**
 * Checks a request: 200; 401 when the password is missing or wrong; 429 once its network has sent too many wrong ones.
 */
function createPasswordGuard(password: string): (request: IncomingMessage) => 200 | 401 | 429 {
  // Digests have one length, so the time of the comparison reveals nothing about the length of the password.
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(password);
  const wrong = new Map<string, { count: number; readonly until: number }>();

  return ({ headers, socket }) => {
    const address = socket.remoteAddress ?? '';
    const network = countedNetwork(normalizeIp(address) ?? address);
    const now = performance.now();
    let counted = wrong.get(network);
    if (counted !== undefined && counted.until <= now) {
      wrong.delete(network);
      counted = undefined;
    }
    if (counted !== undefined && counted.count >= WRONG_A_MINUTE) return 429;
    const given = passwordOf(headers.authorization);
    if (given === null) return 401;
    if (timingSafeEqual(digest(given), expected)) return 200;
    if (counted === undefined) {
      const [first] = wrong.keys();
      if (wrong.size >= MOST_NETWORKS && first !== undefined) wrong.delete(first);
      counted = { count: 0, until: now + MINUTE_MS };
      wrong.set(network, counted);
    }
    counted.count += 1;
    return 401;
  };
}

/** The password in HTTP Basic credentials (RFC 7617); null when there is none. */
function passwordOf(authorization: string | undefined): string | null {
  const encoded = /^Basic +([\w+/=-]+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const credentials = Buffer.from(encoded, 'base64').toString();
  const colon = credentials.indexOf(':');
  return colon === -1 ? null : credentials.slice(colon + 1);
}

/** Whether the browser says that the request comes from the board's own page. Without such a header it is refused. */
function isSameOrigin({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  return origin !== undefined && host !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
