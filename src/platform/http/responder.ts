import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import { requestIdOf } from './request.ts';

/** The answer to a request. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer | Readable | string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ResponderDeps {
  readonly logger: Logger;
  /** Records each answer and how long it took. */
  readonly metrics: { readonly request: (route: string, status: number, ms: number) => void };
  /** Logs each request at level `info` instead of `debug`. */
  readonly logRequests: boolean;
}

/**
 * Answers requests with an id, measures them, and logs them under the pattern of their route, because a path may hold a
 * secret. An unexpected error is logged and answered with `failure`.
 */
export function createResponder({ logger, metrics, logRequests }: ResponderDeps) {
  const level = logRequests ? 'info' : 'debug';
  return async (
    ctx: Context,
    route: string,
    work: (requestId: string) => Promise<Answer>,
    failure: () => Answer,
  ): Promise<void> => {
    const begun = performance.now();
    const requestId = requestIdOf(ctx.req);
    const { status, type, body, headers } = await work(requestId).catch((error: unknown) => {
      logger.error({ err: error, requestId, rota: route }, 'falha inesperada');
      return failure();
    });
    ctx.status = status;
    ctx.set({ 'X-Content-Type-Options': 'nosniff', ...headers, 'X-Request-Id': requestId });
    ctx.type = type;
    // Koa takes null for 204.
    ctx.body = body ?? '';
    // The body was not made for HEAD, so its length is unknown.
    if (body === null && ctx.method === 'HEAD') ctx.remove('Content-Length');
    const ms = performance.now() - begun;
    metrics.request(route, status, ms);
    if (!logger.isLevelEnabled(level)) return;
    logger[level]({ requestId, rota: route, status, ms: Math.round(ms * 100) / 100 }, 'requisição');
  };
}
