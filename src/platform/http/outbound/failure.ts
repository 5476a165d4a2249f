import { UrlRefused } from './url.ts';

/** Why no answer came. */
export const FAILURES = {
  /** It took longer than we wait. */
  timeout: 'timeout',
  /** Nobody listens there, or the network does not lead there. */
  refused: 'refused',
  /** The connection was there, and broke before the answer was. */
  broken: 'broken',
  /** The name has no address. */
  dns: 'dns',
  /** The certificate is not good for the name, or there is no common way to encrypt. */
  tls: 'tls',
  /** It is an address that must not be called. */
  forbidden: 'forbidden',
} as const;
export type FailureReason = (typeof FAILURES)[keyof typeof FAILURES];

/** A request that was not answered. Says neither the address nor what was sent. */
export class OutboundFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason) {
    super(reason);
    this.reason = reason;
  }
}

const NOT_REACHED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'ENETDOWN',
  'EHOSTDOWN',
]);

// OpenSSL names alerts by the oldest protocol that has them: since 3.2, which is Node 24's, the oldest of all is SSL/TLS and no more SSLV3.
const CERTIFICATE_REFUSED =
  /^ERR_SSL_(?:SSLV3|SSL\/TLS|TLSV1|TLSV13)_ALERT_(?:(?:NO|BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA|ACCESS_DENIED)$/;

/** Whether the server says that it does not take our certificate. By TLS 1.3 it says so only once the connection stands for us, and reads nothing else. */
export const certificateRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && CERTIFICATE_REFUSED.test(String(error.code));

/** What Node says of a failure, in our words. */
export function failureOf(error: unknown, aborted: boolean): OutboundFailure {
  if (aborted) return new OutboundFailure(FAILURES.timeout);
  if (error instanceof UrlRefused) return new OutboundFailure(FAILURES.forbidden);
  // Of a name with several addresses there is one failure for each.
  for (const one of error instanceof AggregateError ? [...(error.errors as unknown[]), error] : [error]) {
    if (one instanceof OutboundFailure) return one;
    const code = one instanceof Error && 'code' in one ? String(one.code) : '';
    if (code === 'ETIMEDOUT') return new OutboundFailure(FAILURES.timeout);
    if (NOT_REACHED.has(code)) return new OutboundFailure(FAILURES.refused);
    if (/^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO|ERR_OSSL)/.test(code)) {
      return new OutboundFailure(FAILURES.tls);
    }
  }
  return new OutboundFailure(FAILURES.broken);
}
