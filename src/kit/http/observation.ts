import type { Logger } from 'pino';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Route, SurfaceTypes } from './route.ts';

/** What is known about a request once it is answered. */
export interface Seen<T extends SurfaceTypes> {
  /** What of a route its measures are named by. */
  route?: Pick<Route<T>, 'path'> & { readonly method: string };
  session?: T['session'];
  /** The code of an error answer. */
  code?: T['code'];
}

/** Records an answer that took `ms` milliseconds to make. */
export type Observe<T extends SurfaceTypes> = (ms: number, status: number, requestId: string, seen: Seen<T>) => void;

export interface ObservationDeps<T extends SurfaceTypes> {
  readonly metrics: Pick<Metrics, 'request'> & Partial<Pick<Metrics, 'error' | 'tenant'>>;
  readonly logger: Logger;
  /** Logs each request at level `info` instead of `debug`. */
  readonly logRequests: boolean;
  /** The surface's base address. */
  readonly base: string;
  /** Whose data were asked for; null where nobody is known. Absent where all requests are of nobody known. */
  readonly tenantOf?: (session: T['session'] | undefined) => number | null;
  /** The fields of the log line that say who asked. */
  readonly identify: (session: T['session'] | undefined) => object;
}

/** The name of all requests that no route answers. Their paths are the caller's own text and must not become labels. */
const NO_ROUTE = 'nenhuma';

/**
 * Measures and logs each request of a surface, by its route's pattern. A log line never holds a path, a query, a header
 * or an address, because these are personal data or lead to them.
 */
export function createObservation<T extends SurfaceTypes>(deps: ObservationDeps<T>): Observe<T> {
  const { metrics, logger, logRequests, base, identify, tenantOf } = deps;
  const level = logRequests ? 'info' : 'debug';
  const names = new Map<NonNullable<Seen<T>['route']>, string>();

  function nameOf(route: Seen<T>['route']): string {
    if (route === undefined) return NO_ROUTE;
    let name = names.get(route);
    if (name === undefined) names.set(route, (name = `${route.method} ${base}${route.path}`));
    return name;
  }

  return (ms, status, requestId, seen) => {
    const { code } = seen;
    const pattern = nameOf(seen.route);
    metrics.request(pattern, status, ms);
    if (code !== undefined) metrics.error?.(code);
    const tenantId = tenantOf?.(seen.session) ?? null;
    if (tenantId !== null) metrics.tenant?.(tenantId, status, ms, code);
    if (!logger.isLevelEnabled(level)) return;
    const line = {
      requestId,
      ...identify(seen.session),
      rota: pattern,
      status,
      ...(code === undefined ? {} : { codigo: code }),
      ms: Math.round(ms * 100) / 100,
    };
    logger[level](line, 'requisição');
  };
}
