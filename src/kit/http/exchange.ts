import type { Context } from 'koa';
import type { Logger } from 'pino';
import { requestIdOf } from '../../platform/http/request.ts';
import { toJson } from '../../platform/json.ts';
import type { Envelope } from '../reply/envelope.ts';
import { toldOf } from '../reply/failure.ts';
import type { Errors, Told } from '../reply/failure.ts';
import type { Observe, Seen } from './observation.ts';
import { JSON_UTF8 } from '../reply/reply.ts';
import type { SurfaceTypes } from './route.ts';

export interface ExchangeDeps<T extends SurfaceTypes> {
  readonly errors: Errors<T['code'], T['session']>;
  readonly envelope: Pick<Envelope, 'failure'>;
  /** Headers of every response, in addition to the request id. */
  readonly headers: Readonly<Record<string, string>>;
  readonly logger: Logger;
  readonly observe: Observe<T>;
  /** Called last: it may change what the caller is told about a failure. */
  readonly settle?: (ctx: Context, told: Told<T['code']>) => Promise<Told<T['code']>>;
}

/** What is known about a request so far. It is kept in Koa's state, where the observation reads it at the end. */
export const seenOf = <T extends SurfaceTypes>(ctx: Context): Seen<T> => ctx.state;

/**
 * The outermost layer of a request: it sets the request id and the headers, runs the work that answers, and turns what
 * the work throws into an error answer. `begun` is when the request came, by `performance.now()`.
 */
export function createExchange<T extends SurfaceTypes>(deps: ExchangeDeps<T>) {
  const { errors, envelope, headers, logger, observe, settle = async (_ctx, told) => told } = deps;
  return async (ctx: Context, work: (requestId: string) => Promise<void>, begun = performance.now()): Promise<void> => {
    const seen = seenOf<T>(ctx);
    const requestId = requestIdOf(ctx.req);
    ctx.set('X-Request-Id', requestId);
    ctx.set(headers);
    try {
      await work(requestId);
    } catch (error) {
      const first = toldOf(errors, error, seen.session);
      // The stack of a database error has no frame of our own code. The route shows where it came from.
      if (!first.foreseen) logger.error({ err: error, requestId, rota: seen.route?.path ?? null }, 'falha inesperada');
      const told = await settle(ctx, first);
      seen.code = told.code;
      ctx.set(told.headers);
      ctx.status = told.status;
      ctx.type = JSON_UTF8;
      ctx.body = toJson(envelope.failure(told.code, told.message, told.faults));
    }
    observe(performance.now() - begun, ctx.status, requestId, seen);
  };
}
