import { isIP, isIPv4 } from 'node:net';
import { createIpList } from '../../ip.ts';
import type { IpList } from '../../ip.ts';

/**
 * IPv4 addresses that are no public unicast: IANA's special-purpose registry (RFC 6890 and what came after it), multicast,
 * and what is reserved. The metadata services of clouds are link-local.
 */
const NOT_PUBLIC_V4 = createIpList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** The one range from which public IPv6 addresses are given: mapped, NAT64, local and multicast ones are outside of it. */
const GLOBAL_V6 = createIpList(['2000::/3']);

/** What in that range is no public unicast: protocol assignments (Teredo among them), documentation, 6to4. */
const NOT_PUBLIC_V6 = createIpList(['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']);

/** Whether an address is public unicast, which is all that is called outside of a test. */
export function isPublicUnicast(address: string): boolean {
  if (isIPv4(address)) return !NOT_PUBLIC_V4.has(address);
  return isIP(address) === 6 && !address.includes('%') && GLOBAL_V6.has(address) && !NOT_PUBLIC_V6.has(address);
}

/** An address of the service's own database, Redis or listener. */
export interface OwnEndpoint {
  readonly address: string;
  readonly port: number;
}

export interface AddressRules {
  /** Networks that are never called, besides those that are not public. */
  readonly forbidden: IpList;
  /** Networks that may be called although they are not public. */
  readonly permitted: IpList;
  /** Servers of this program's own that may be called all the same, such as a demonstration's. */
  readonly servers?: readonly OwnEndpoint[];
}

/** Whether a connection to an address may be opened. Of a permitted network, all but the ports of the service's own servers. */
export function mayConnect(
  { address, port }: OwnEndpoint,
  { forbidden, permitted, servers = [] }: AddressRules,
  own: readonly OwnEndpoint[],
): boolean {
  if (isIP(address) === 0 || forbidden.has(address)) return false;
  if (servers.some((one) => one.address === address && one.port === port)) return true;
  const ours = own.filter((one) => one.address === address);
  if (permitted.has(address)) return ours.every((one) => one.port !== port);
  return ours.length === 0 && isPublicUnicast(address);
}
