import { LRUCache } from 'lru-cache';
import type { Provedor } from '../domain/provedores/provedores.types.ts';

/** Whose panel a host is, by provider id; null: nobody's. */
export interface Hosts {
  readonly idPorHost: (host: string) => number | null | Promise<number | null>;
}

/** How long a process remembers whose host a name is; a provider's host changes about never. */
const TTL_MS = 30_000;

const MOST_HOSTS = 10_000;

/** The same, remembered for a while: what is known is said at once. */
export function rememberHosts({ idPorHost }: Hosts): Hosts {
  const known = new LRUCache<string, { readonly id: number | null }>({
    max: MOST_HOSTS,
    ttl: TTL_MS,
    // One look-up for all that ask at the same time.
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
 * Whether a request was made on the host of another provider; a host of no provider serves everyone's. Said at once where the owner is
 * known.
 */
export function isAnothersHost(host: string, provedor: Provedor, { idPorHost }: Hosts): boolean | Promise<boolean> {
  if (host === provedor.panelHost) return false;
  const isAnothers = (owner: number | null): boolean => owner !== null && owner !== provedor.id;
  const owner = idPorHost(host);
  return owner instanceof Promise ? owner.then(isAnothers) : isAnothers(owner);
}
