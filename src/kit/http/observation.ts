import type { Logger } from 'pino';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Route, SurfaceTypes } from './route.ts';

/** What is known of a request once it is answered. */
export interface Seen<T extends SurfaceTypes> {
  route?: Route<T>;
  session?: T['session'];
  /** Of an error answer. */
  code?: T['code'];
}

/** Takes note of an answer that took `ms` milliseconds to make. */
export type Observe<T extends SurfaceTypes> = (ms: number, status: number, requestId: string, seen: Seen<T>) => void;

export interface ObservationDeps<T extends SurfaceTypes> {
  readonly metrics: Pick<Metrics, 'request'> & Partial<Pick<Metrics, 'error'>>;
  readonly logger: Logger;
  /** A line a request at `info` instead of `debug`. */
  readonly registrar: boolean;
  /** The surface's base address. */
  readonly base: string;
  /** Who asked, as the line names them. */
  readonly identify: (session: T['session'] | undefined) => object;
}

/** Requests that no route answers: what they asked for is the caller's text, so they are one. */
const NO_ROUTE = 'nenhuma';

/**
 * Measures and logs each request of a surface, by its route's pattern. A line never holds a path, a query, a header or an
 * address: they are, or lead to, somebody's personal data.
 */
export function createObservation<T extends SurfaceTypes>(deps: ObservationDeps<T>): Observe<T> {
  const { metrics, logger, registrar, base, identify } = deps;
  const level = registrar ? 'info' : 'debug';
  const names = new Map<Route<T>, string>();

  function nameOf(route: Route<T> | undefined): string {
    if (route === undefined) return NO_ROUTE;
    let name = names.get(route);
    if (name === undefined) names.set(route, (name = `${route.method} ${base}${route.path}`));
    return name;
  }

  return (ms, status, requestId, seen) => {
    const { code } = seen;
    const rota = nameOf(seen.route);
    metrics.request(rota, status, ms);
    if (code !== undefined) metrics.error?.(code);
    if (!logger.isLevelEnabled(level)) return;
    const line = {
      requestId,
      ...identify(seen.session),
      rota,
      status,
      ...(code === undefined ? {} : { codigo: code }),
      ms: Math.round(ms * 100) / 100,
    };
    logger[level](line, 'requisição');
  };
}
