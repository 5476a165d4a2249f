import { LRUCache } from 'lru-cache';
import type { Provedor } from '../domain/provedores/provedores.types.ts';
import { asManyAs } from '../platform/as-many.ts';

/** Finds the id of the provider whose panel is at a host; null when no provider has that host. */
export interface Hosts {
  readonly idPorHost: (host: string) => number | null | Promise<number | null>;
}

/** How long a process remembers the owner of a host. A provider's host almost never changes. */
const TTL_MS = 30_000;

const MOST_HOSTS = 10_000;

/** The same look-up, with a memory. A remembered owner is returned without a promise. */
export function rememberHosts({ idPorHost }: Hosts): Hosts {
  const known = new LRUCache<string, { readonly id: number | null }>({
    ...asManyAs(MOST_HOSTS),
    ttl: TTL_MS,
    // All that ask for one host at the same time share a look-up.
    fetchMethod: async (host) => ({ id: await idPorHost(host) }),
  });
  return {
    idPorHost(host) {
      const owner = known.get(host);
      return owner === undefined ? known.fetch(host).then((found) => found?.id ?? null) : owner.id;
    },
  };
}

/**
 * Whether a host belongs to another provider. A host that belongs to no provider may be used by all of them. Returns
 * without a promise when the owner is remembered.
 */
export function isAnothersHost(host: string, provedor: Provedor, { idPorHost }: Hosts): boolean | Promise<boolean> {
  if (host === provedor.panelHost) return false;
  const isAnothers = (owner: number | null): boolean => owner !== null && owner !== provedor.id;
  const owner = idPorHost(host);
  return owner instanceof Promise ? owner.then(isAnothers) : isAnothers(owner);
}
