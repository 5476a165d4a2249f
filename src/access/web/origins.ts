import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { asManyAs } from '../../platform/as-many.ts';
import { requestHost } from '../../platform/http/request.ts';

/** How long a process goes by what it knows of a host. A browser itself remembers a preflight for longer. */
const TTL_MS = 5000;

const MOST_HOSTS = 10_000;

/**
 * Whether the provider of the host that a request names lists an origin. On a host of no provider nothing says who the
 * provider is before the credential is read, so no origin is allowed there.
 */
export function createOrigins({
  originsOf,
}: {
  readonly originsOf: (host: string) => Promise<readonly string[]>;
}): (request: IncomingMessage, origin: string) => Promise<boolean> {
  const known = new LRUCache<string, readonly string[]>({
    ...asManyAs(MOST_HOSTS),
    ttl: TTL_MS,
    allowStaleOnFetchRejection: true,
    // All that ask for one host at the same time share a look-up.
    fetchMethod: async (host) => originsOf(host),
  });
  return async (request, origin) => (await known.fetch(requestHost(request)))?.includes(origin) ?? false;
}
