import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { hostOf } from '../../ip.ts';
import type { OwnEndpoint } from './addresses.ts';

/** All addresses of a name, of both families. */
export type ResolveName = (name: string) => Promise<string[]>;

const TRY_MS = 1500;
const TRIES = 2;

/**
 * Asks DNS servers directly: the system's resolver would occupy one of the few threads that hash passwords and read files
 * for as long as a tenant's server takes to answer.
 *
 * @param servers `address:port`; undefined: those of the system.
 */
export function createNameResolver(servers?: readonly string[]): ResolveName {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return async (name) => {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/** How long the addresses of the service's own servers are taken for what they were. */
const KEPT_MS = 60_000;

/**
 * Where the service's own servers are, and its listener, which is reached at every address of the machine.
 *
 * @param urls of the database, Redis and whatever else is the operator's; a socket has no address.
 */
export function createOwnEndpoints(
  urls: readonly string[],
  listeningPorts: readonly number[],
): () => Promise<readonly OwnEndpoint[]> {
  let kept: { readonly at: number; readonly endpoints: Promise<readonly OwnEndpoint[]> } | undefined;

  async function read(): Promise<readonly OwnEndpoint[]> {
    const servers = await Promise.all(urls.map(endpointsOf));
    const here = Object.values(networkInterfaces()).flatMap((some) => some?.map(({ address }) => address) ?? []);
    return [...servers.flat(), ...here.flatMap((address) => listeningPorts.map((port) => ({ address, port })))];
  }

  return async () => {
    const now = performance.now();
    if (kept === undefined || now - kept.at > KEPT_MS) kept = { at: now, endpoints: read() };
    return kept.endpoints;
  };
}

async function endpointsOf(text: string): Promise<OwnEndpoint[]> {
  if (!URL.canParse(text)) return [];
  const url = new URL(text);
  if (url.hostname === '' || url.searchParams.has('socketPath')) return [];
  const host = hostOf(url);
  const port = url.port === '' ? (USUAL_PORTS[url.protocol] ?? 0) : Number(url.port);
  if (isIP(host) !== 0) return [{ address: host, port }];
  // The system's way, as the clients of these servers go: a name may stand in the machine's own table.
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return addresses.map(({ address }) => ({ address, port }));
}

const USUAL_PORTS: Readonly<Record<string, number>> = {
  'mysql:': 3306,
  'mariadb:': 3306,
  'redis:': 6379,
  'rediss:': 6379,
  'https:': 443,
  'http:': 80,
};
