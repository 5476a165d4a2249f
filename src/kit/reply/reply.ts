import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'koa';

export const JSON_UTF8 = 'application/json; charset=utf-8';

/** The state of the window in which a request was counted. */
export interface Limit {
  /** Requests allowed in a minute. */
  readonly most: number;
  readonly remaining: number;
  /** Whole seconds until the window restarts. */
  readonly resetSeconds: number;
}

/** A body that is ready to be sent, with its ETag. Equal bytes have an equal ETag. */
export interface Ready {
  readonly body: Buffer;
  /** Strong, with its quotes. */
  readonly etag: string;
}

/** Answers a GET with a ready body, or with 304 when the caller has it already. */
export function replyReady(ctx: Context, { body, etag }: Ready): void {
  ctx.set('ETag', etag);
  const known = ctx.req.headers['if-none-match'];
  if (known !== undefined && matches(known, etag)) {
    ctx.status = 304;
    return;
  }
  ctx.status = 200;
  ctx.type = JSON_UTF8;
  ctx.body = body;
}

/** The headers of a limit: our own, and the IETF's `RateLimit` fields (draft-ietf-httpapi-ratelimit-headers-10). */
export function limitHeaders({ most, remaining, resetSeconds }: Limit): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(most),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetSeconds),
    'RateLimit-Policy': `"por-minuto";q=${most};w=60`,
    RateLimit: `"por-minuto";r=${remaining};t=${resetSeconds}`,
  };
}

/** Headers of every response of a surface with a door, in addition to the request id and the limit's headers. */
export const COMMON_HEADERS = {
  'Cache-Control': 'private, no-cache',
  'X-Content-Type-Options': 'nosniff',
};

const COMMON = Object.entries(COMMON_HEADERS);

/** `replyReady` without Koa. On a hit of the cache, Koa's own work would cost more than everything else. */
export function sendReady(
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
  limit: Limit,
  { body, etag }: Ready,
): void {
  const list = ['X-Request-Id', requestId, 'ETag', etag];
  for (const [name, value] of COMMON) list.push(name, value);
  const ofLimit = limitHeaders(limit);
  for (const name in ofLimit) list.push(name, ofLimit[name] ?? '');
  const known = req.headers['if-none-match'];
  if (known !== undefined && matches(known, etag)) {
    res.writeHead(304, list).end();
    return;
  }
  list.push('Content-Type', JSON_UTF8, 'Content-Length', String(body.length));
  res.writeHead(200, list).end(body);
}

/** Whether If-Match has the ETag (RFC 9110, section 13.1.1): it is `*`, or a list. A weak ETag is none that matches. */
export function matchesStrongly(wanted: string, etag: string): boolean {
  if (wanted.trim() === '*') return true;
  return wanted.split(',').some((one) => one.trim() === etag);
}

/** Whether If-None-Match has the ETag (RFC 9110, section 13.1.2): it is `*`, or a list, in which `W/` is ignored. */
export function matches(known: string, etag: string): boolean {
  if (known.trim() === '*') return true;
  return known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
