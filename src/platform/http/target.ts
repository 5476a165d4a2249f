import type { IncomingMessage } from 'node:http';

/**
 * An absolute target (RFC 9112, section 3.2.2): an authority without user information (RFC 9110, 4.2.4), and the rest.
 */
const ABSOLUTE = /^https?:\/\/([^/?@]+)((?:[/?].*)?)$/i;

/**
 * Normalizes a request: its target becomes a path and query that all later code can parse, and its Host becomes the
 * host that was meant. The host of an absolute target replaces the Host header (RFC 9112, section 3.2.2). A fragment is
 * removed, because a target must not have one.
 *
 * @returns what is wrong, when the request cannot be normalized; else null.
 */
export function settleTarget(request: IncomingMessage): 'target' | 'host' | null {
  // RFC 9112, section 3.2. Node would use the first Host, and a proxy in front perhaps the last, of another provider.
  if (hasTwoHosts(request.rawHeaders)) return 'host';
  const { url = '' } = request;
  const target = url.includes('#') ? url.slice(0, url.indexOf('#')) : url;
  request.url = target;
  if (target.startsWith('/') || target === '*') return null;
  const [, authority, rest = ''] = ABSOLUTE.exec(target) ?? [];
  if (authority === undefined || !URL.canParse(`http://${authority}`)) return 'target';
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  // A request of HTTP/1.1 without a Host header stays invalid, and is refused later.
  if (request.headers.host !== undefined || request.httpVersion === '1.0') request.headers.host = authority;
  return null;
}

function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
