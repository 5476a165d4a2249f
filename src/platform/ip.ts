import { BlockList, isIP, isIPv4 } from 'node:net';

/** A set of addresses and CIDR ranges, of IPv4 and IPv6. */
export interface IpList {
  has(ip: string): boolean;
}

/**
 * Normalizes an address: IPv4 inside IPv6 (`::ffff:203.0.113.7`) becomes IPv4; zone, brackets and port are removed.
 * Null when the text is not an address.
 */
export function normalizeIp(text: string): string | null {
  if (isIPv4(text)) return text;
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const withoutPort = bracketed ?? (/^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text);
  const address = withoutPort.replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  const plain = mapped ?? address;
  return isIP(plain) === 0 ? null : plain;
}

/** The host of a URL as a socket takes it: an address of IPv6 without its brackets. */
export const hostOf = ({ hostname }: URL): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname);

/** True for an address (`203.0.113.7`, `2001:db8::1`) or a range in CIDR form (`10.0.0.0/8`, `2001:db8::/32`). */
export function isIpRule(rule: string): boolean {
  const [address = '', prefix, ...rest] = rule.split('/');
  // A zone (`fe80::1%eth0`) has a meaning on one machine only.
  if (rest.length > 0 || isIP(address) === 0 || address.includes('%')) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIPv4(address) ? 32 : 128);
}

/** @throws TypeError when a rule is neither an address nor a range. */
export function createIpList(rules: readonly string[]): IpList {
  // A list for each family: in a common list, IPv4 counts as a part of IPv6, and `::/0` would admit it.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const rule of rules) {
    if (!isIpRule(rule)) throw new TypeError(`endereço ou faixa inválida: ${rule}`);
    const [address = '', prefix] = rule.split('/');
    const family = familyOf(address);
    if (prefix === undefined) lists[family].addAddress(address, family);
    else lists[family].addSubnet(address, Number(prefix), family);
  }
  return { has: (ip) => lists[familyOf(ip)].check(ip, familyOf(ip)) };
}

/** Whether every address of a rule is one that some rule of a list admits by itself. @throws TypeError as `createIpList` */
export function isRuleWithin(rule: string, list: readonly string[]): boolean {
  const [address = ''] = rule.split('/');
  return list.some(
    (other) =>
      familyOf(other.split('/')[0] ?? '') === familyOf(address) &&
      Number(prefixOf(other)) <= Number(prefixOf(rule)) &&
      createIpList([other]).has(address),
  );
}

/** Of an address, all its bits. */
function prefixOf(rule: string): string {
  const [address = '', prefix = isIPv4(address) ? '32' : '128'] = rule.split('/');
  return prefix;
}

const familyOf = (ip: string): 'ipv4' | 'ipv6' => (isIPv4(ip) ? 'ipv4' : 'ipv6');

/**
 * The network whose requests are counted together when there is no key: with IPv4 the address itself; with IPv6 its
 * /64, because one subscriber has 2^64 addresses there.
 */
export function countedNetwork(ip: string): string {
  if (isIPv4(ip)) return ip;
  const [head = '', tail] = ip.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::`;
}
