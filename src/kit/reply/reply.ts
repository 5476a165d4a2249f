import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'koa';

export const JSON_UTF8 = 'application/json; charset=utf-8';

/** State of the window that a request was counted in. */
export interface Limit {
  /** Requests in a minute. */
  readonly most: number;
  readonly remaining: number;
  /** Whole seconds until the window restarts. */
  readonly resetSeconds: number;
}

/** Bytes that are ready to be sent; equal bytes have an equal tag. */
export interface Ready {
  readonly body: Buffer;
  /** Strong, with its quotes. */
  readonly etag: string;
}

/** Answers a GET with bytes that are ready, or with 304 when the caller holds them already. */
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

/** The limit's headers: our own, and the IETF's `RateLimit` fields (draft-ietf-httpapi-ratelimit-headers-10). */
export function limitHeaders({ most, remaining, resetSeconds }: Limit): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(most),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetSeconds),
    'RateLimit-Policy': `"por-minuto";q=${most};w=60`,
    RateLimit: `"por-minuto";r=${remaining};t=${resetSeconds}`,
  };
}

/** Headers of every response of a surface with limits, besides its request id and its limit's. */
export const COMMON_HEADERS = {
  'Cache-Control': 'private, no-cache',
  'X-Content-Type-Options': 'nosniff',
};

const COMMON = Object.entries(COMMON_HEADERS);

/** `replyReady` without Koa, whose work costs more than all else on a hit. */
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

/** RFC 9110, section 13.1.2: `*`, or a list in which weakness does not matter. */
export function matches(known: string, etag: string): boolean {
  if (known.trim() === '*') return true;
  return known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
