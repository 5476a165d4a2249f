import type { IncomingMessage } from 'node:http';

/** An absolute target (RFC 9112, section 3.2.2): its authority, which names nobody (RFC 9110, section 4.2.4), and the rest. */
const ABSOLUTE = /^https?:\/\/([^/?@]+)((?:[/?].*)?)$/i;

/**
 * Brings a request's target to a path and query that every reader after this one can parse, and its Host to the host that was meant: an
 * absolute target goes before the Host header (RFC 9112, section 3.2.2), and a fragment, which no target has, is dropped.
 *
 * @returns what is wrong with a request for which that cannot be done, else null.
 */
export function settleTarget(request: IncomingMessage): 'target' | 'host' | null {
  // RFC 9112, section 3.2. Node would take the first, and a proxy in front perhaps the last: another provider's.
  if (hasTwoHosts(request.rawHeaders)) return 'host';
  const { url = '' } = request;
  const target = url.includes('#') ? url.slice(0, url.indexOf('#')) : url;
  request.url = target;
  if (target.startsWith('/') || target === '*') return null;
  const [, authority, rest = ''] = ABSOLUTE.exec(target) ?? [];
  if (authority === undefined || !URL.canParse(`http://${authority}`)) return 'target';
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  // Without one, HTTP/1.1 stays as wrong as it was.
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
