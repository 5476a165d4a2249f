import type { Reading, Route, SurfaceTypes } from './route.ts';

/** Whether a request of a route reads a whole list: nothing in its query, without `?`, narrows it to a person. */
export function isWhole({ kind, narrowedBy }: Reading, query: string): boolean {
  if (kind !== 'list') return false;
  if (query === '' || narrowedBy.length === 0) return true;
  // Only where there is nothing to decode is a name sent as it is written.
  if (!/[%+]/.test(query)) return !narrowedBy.some((name) => `&${query}`.includes(`&${name}=`));
  const sent = new URLSearchParams(query);
  return !narrowedBy.some((name) => sent.has(name));
}

/**
 * Tells by its URL whether a request reads a whole list, before the router has run: by the exact path of the routes that declare one, which
 * therefore has no parameters.
 */
export function createListIndex<T extends SurfaceTypes>(base: string, routes: readonly Route<T>[]) {
  const lists = new Map<string, Reading>();
  for (const route of routes) {
    if (route.kind !== 'read' || route.reading.kind !== 'list') continue;
    if (route.path.includes('{')) throw new Error(`${route.path}: what its path narrows is no list of a whole tenant`);
    lists.set(base + route.path, route.reading);
  }
  return (url: string): boolean => {
    const mark = url.indexOf('?');
    const reading = lists.get(mark === -1 ? url : url.slice(0, mark));
    return reading !== undefined && isWhole(reading, mark === -1 ? '' : url.slice(mark + 1));
  };
}

/** Name of an answer in the cache. Where a page of a whole list begins depends on what its reader has read; see page-walks.ts. */
export function cacheName(tenantId: number, url: string, reader: string | null): string {
  return reader === null ? `${tenantId} ${url}` : `${tenantId} ${reader} ${url}`;
}
