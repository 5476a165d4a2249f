import type { Reading, Route, SurfaceTypes, WriteRoute } from './route.ts';

/** Whether a request reads a whole list: no parameter of its query (given without `?`) narrows the list to a person. */
export function isWhole({ kind, narrowedBy }: Reading, query: string): boolean {
  if (kind !== 'list') return false;
  if (query === '' || narrowedBy.length === 0) return true;
  // Without escapes in the query, names can be compared as text, which is faster.
  if (!/[%+]/.test(query)) return !narrowedBy.some((name) => `&${query}`.includes(`&${name}=`));
  const sent = new URLSearchParams(query);
  return !narrowedBy.some((name) => sent.has(name));
}

/**
 * Tells by the URL whether a request reads a whole list, before the router has run. It compares the exact path, so a
 * route that declares a list must not have parameters in its path.
 */
export function createListIndex<T extends SurfaceTypes>(base: string, routes: readonly Route<T>[]) {
  const lists = new Map<string, Reading>();
  for (const route of routes) {
    if (route.kind !== 'read' || route.reading.kind !== 'list') continue;
    if (route.path.includes('{')) throw new Error(`${route.path}: a list must not have parameters in its path`);
    lists.set(base + route.path, route.reading);
  }
  return (url: string): boolean => {
    const mark = url.indexOf('?');
    const reading = lists.get(mark === -1 ? url : url.slice(0, mark));
    return reading !== undefined && isWhole(reading, mark === -1 ? '' : url.slice(mark + 1));
  };
}

/** Tells, before the router has run, whether a request is for a route that takes no credential. It compares the exact path. */
export function createAnonymousIndex<T extends SurfaceTypes>(base: string, routes: readonly Route<T>[]) {
  const methods = new Map<string, Set<string>>();
  for (const route of routes) {
    if (!route.anonymous) continue;
    if (route.path.includes('{'))
      throw new Error(`${route.path}: a route without a credential must not have parameters in its path`);
    const path = base + route.path;
    methods.set(path, (methods.get(path) ?? new Set()).add(route.method));
  }
  return ({
    method = '',
    url = '',
  }: {
    readonly method?: string | undefined;
    readonly url?: string | undefined;
  }): boolean => {
    if (methods.size === 0) return false;
    const mark = url.indexOf('?');
    return methods.get(mark === -1 ? url : url.slice(0, mark))?.has(method) === true;
  };
}

/** What a route answers, by a request for it, to whom the door refused with a code; null where he stays refused. */
export function createExcuses<T extends SurfaceTypes>(base: string, routes: readonly Route<T>[]) {
  const found = new Map<string, { readonly route: WriteRoute<T>; readonly code: T['code']; readonly data: unknown }>();
  for (const route of routes) {
    if (route.kind !== 'write' || !route.acts || route.excused === null) continue;
    found.set(`${route.method} ${base}${route.path}`, { route, ...route.excused });
  }
  return ({ method, path }: { readonly method: string; readonly path: string }, code: T['code']) => {
    const one = found.get(`${method} ${path}`);
    return one?.code === code ? one : null;
  };
}

/**
 * The name of an answer in the cache; `rights` are those of the caller that it is made for. A page of a whole list is kept for each reader, because where it begins depends
 * on what that reader has read before; see page-walks.ts.
 */
export function cacheName(tenantId: number, url: string, rights: string, reader: string | null): string {
  return reader === null ? `${tenantId} ${rights} ${url}` : `${tenantId} ${rights} ${reader} ${url}`;
}
