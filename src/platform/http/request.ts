import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { normalizeIp } from '../ip.ts';

const SANE_REQUEST_ID = /^[\w.:+/=-]{1,128}$/;

/** Whether a text is one that a request may have for its id. */
export const isRequestId = (text: string): boolean => SANE_REQUEST_ID.test(text);

/**
 * The id of a request, by which its answer, its log lines and what it changes are found. It is the caller's when that
 * is short and plain enough for a header and a log line. Otherwise one is made up, and written over the header, so that
 * everybody who asks is told the same.
 */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  if (typeof given === 'string' && isRequestId(given)) return given;
  const own = randomUUID();
  headers['x-request-id'] = own;
  return own;
}

/**
 * The address from which a request comes, behind a known number of proxies. Each trusted proxy appends the address it
 * saw to `X-Forwarded-For`, so only that many entries from the right can be trusted. Entries further left are the
 * caller's own.
 */
export function sourceIp(request: Pick<IncomingMessage, 'socket' | 'headers'>, proxies: number): string {
  const socket = normalizeIp(request.socket.remoteAddress ?? '') ?? '0.0.0.0';
  if (proxies === 0) return socket;
  const forwarded = request.headers['x-forwarded-for'];
  const text = Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '');
  const hops = text.split(',').map((hop) => hop.trim());
  const source = hops.at(-Math.min(proxies, hops.length)) ?? '';
  return normalizeIp(source) ?? socket;
}

/** The host that a request names, in lower case and without port. */
export function requestHost(request: IncomingMessage): string {
  return withoutPort(request.headers.host ?? '');
}

/** A host as it is looked up: in lower case, without port and without the dot of the root. */
export function withoutPort(named: string): string {
  const host = named.toLowerCase();
  return host.includes(':') || host.endsWith('.') ? host.replace(/:\d*$/, '').replace(/\.$/, '') : host;
}

/** Whether a request came over TLS, as the trusted proxies say. The service itself speaks no TLS. */
export function isHttps(request: IncomingMessage, proxies: number): boolean {
  if (proxies === 0) return false;
  const forwarded = request.headers['x-forwarded-proto'];
  const text = Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '');
  const hops = text.split(',').map((hop) => hop.trim().toLowerCase());
  return hops.at(-Math.min(proxies, hops.length)) === 'https';
}
