import { isIPv4, isIPv6 } from 'node:net';

/** The bytes of an address, 4 or 16, as INET6_ATON of the database makes them; null of what is none. */
export function bytesDoIp(ip: string): Buffer | null {
  if (isIPv4(ip)) return Buffer.from(ip.split('.').map(Number));
  if (!isIPv6(ip) || ip.includes('%')) return null;
  // An IPv4 at the end is two groups.
  const [, antes = ip, quatro] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(ip) ?? [];
  const final =
    quatro === undefined
      ? ''
      : Buffer.from(quatro.split('.').map(Number))
          .toString('hex')
          .replace(/^(....)/, '$1:');
  const [esquerda = '', direita] = (quatro === undefined ? ip : antes + final).split('::');
  const grupos = (lado: string | undefined): string[] => (lado === undefined || lado === '' ? [] : lado.split(':'));
  const [inicio, fim] = [grupos(esquerda), grupos(direita)];
  const zeros = Array<string>(Math.max(0, 8 - inicio.length - fim.length)).fill('0');
  return Buffer.from([...inicio, ...zeros, ...fim].map((grupo) => grupo.padStart(4, '0')).join(''), 'hex');
}

/** All networks that an address may be in, as records hold them: of IPv4 the address itself, of IPv6 one for each length of a prefix. */
export function redesDoIp(bytes: Buffer): { readonly rede: Buffer; readonly bits: number }[] {
  if (bytes.length === 4) return [{ rede: bytes, bits: 32 }];
  return Array.from({ length: 128 }, (_, n) => {
    const bits = n + 1;
    const rede = Buffer.from(bytes);
    for (let byte = Math.ceil(bits / 8); byte < 16; byte += 1) rede[byte] = 0;
    const sobra = bits % 8;
    const ultimo = Math.floor(bits / 8);
    if (sobra > 0) rede[ultimo] = (rede[ultimo] ?? 0) & (0xff << (8 - sobra)) & 0xff;
    return { rede, bits };
  });
}

/** An IPv4 as MySQL's INET_ATON makes it. */
export const numeroDoIpv4 = (bytes: Buffer): number => bytes.readUInt32BE(0);
