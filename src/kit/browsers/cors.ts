import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';

/** Which pages of other origins may call a surface, and what of it they may see (the Fetch standard, section 3.2). */
export interface CorsRules {
  /** Whether pages of an origin may call; a rejection counts as no. */
  readonly allows: (request: IncomingMessage, origin: string) => Promise<boolean>;
  readonly methods: readonly string[];
  readonly requestHeaders: readonly string[];
  /** Headers of answers that a page may read. */
  readonly responseHeaders: readonly string[];
  /** For how long a browser may remember what it was told of a route. */
  readonly maxAgeSeconds: number;
}

/**
 * Sets what lets a page of another origin read the answer, where the surface allows its origin. Cookies and other
 * credentials of the browser are never allowed.
 *
 * @returns whether the request was a preflight of an allowed origin. It is answered then.
 */
export async function answerCors(ctx: Context, rules: CorsRules): Promise<boolean> {
  const { origin } = ctx.req.headers;
  if (origin === undefined) return false;
  ctx.vary('Origin');
  if (!(await rules.allows(ctx.req, origin).catch(() => false))) return false;
  ctx.set({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': rules.responseHeaders.join(', '),
  });
  if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') return false;
  ctx.set({
    'Access-Control-Allow-Methods': rules.methods.join(', '),
    'Access-Control-Allow-Headers': rules.requestHeaders.join(', '),
    'Access-Control-Max-Age': String(rules.maxAgeSeconds),
  });
  ctx.status = 204;
  return true;
}
