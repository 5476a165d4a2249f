import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { seenOf } from './exchange.ts';
import { Failure } from '../reply/failure.ts';
import { createHandler } from './handler.ts';
import type { Arrival, HandlerDeps } from './ports.ts';
import type { Route, SurfaceTypes } from './route.ts';

/** Leads an admitted request to its route. @throws Failure when no route has its path and method. */
export function createRouter<T extends SurfaceTypes>(base: string, routes: readonly Route<T>[], deps: HandlerDeps<T>) {
  const unknown = (): never => {
    throw new Failure(deps.faults.unknownRoute);
  };
  const arrivals = new WeakMap<Context['req'], Omit<Arrival<T>, 'params' | 'query'>>();
  const router = new Router({ prefix: base, sensitive: true, strict: true });
  for (const route of routes) {
    const handle = createHandler(route, deps);
    router.register(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), [route.method], async (ctx) => {
      const arrival = arrivals.get(ctx.req);
      // @koa/router also answers HEAD on GET routes. A surface answers only the methods that it declares.
      if (ctx.method !== route.method || arrival === undefined) return unknown();
      seenOf<T>(ctx).route = route;
      return handle(ctx, { ...arrival, params: ctx.params, query: ctx.querystring });
    });
  }
  const run = router.routes() as unknown as Middleware;
  return async (ctx: Context, arrival: Omit<Arrival<T>, 'params' | 'query'>): Promise<void> => {
    arrivals.set(ctx.req, arrival);
    await run(ctx, async () => unknown());
  };
}
