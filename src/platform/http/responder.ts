import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import { givenRequestId } from './request.ts';

/** What a request is answered with. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer | Readable | string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ResponderDeps {
  readonly logger: Logger;
  /** Told of each answer, and how long it took. */
  readonly metrics: { readonly request: (rota: string, status: number, ms: number) => void };
  /** A line a request at `info` instead of `debug`. */
  readonly registrar: boolean;
}

/**
 * Answers requests with an id, measures them, and logs them under their route's pattern, since a path may hold a secret. What was not
 * foreseen is logged, and answered by `failure`.
 */
export function createResponder({ logger, metrics, registrar }: ResponderDeps) {
  const level = registrar ? 'info' : 'debug';
  return async (
    ctx: Context,
    rota: string,
    work: (requestId: string) => Promise<Answer>,
    failure: () => Answer,
  ): Promise<void> => {
    const begun = performance.now();
    const requestId = givenRequestId(ctx.req) ?? randomUUID();
    const { status, type, body, headers } = await work(requestId).catch((error: unknown) => {
      logger.error({ err: error, requestId, rota }, 'falha inesperada');
      return failure();
    });
    ctx.status = status;
    ctx.set({ 'X-Content-Type-Options': 'nosniff', ...headers, 'X-Request-Id': requestId });
    ctx.type = type;
    // Koa takes null for 204.
    ctx.body = body ?? '';
    // How long a body would be that HEAD does not make, nobody knows.
    if (body === null && ctx.method === 'HEAD') ctx.remove('Content-Length');
    const ms = performance.now() - begun;
    metrics.request(rota, status, ms);
    if (!logger.isLevelEnabled(level)) return;
    logger[level]({ requestId, rota, status, ms: Math.round(ms * 100) / 100 }, 'requisição');
  };
}
