import { sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const emBase64 = (objeto: object): string => Buffer.from(JSON.stringify(objeto)).toString('base64url');

/** A signed token (RFC 7519), by ES256 with a key of P-256 and by RS256 with one of RSA. */
export function assinarJwt(chave: KeyObject, claims: object, cabecalho: object = {}): string {
  const alg = chave.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256';
  const dito = `${emBase64({ typ: 'JWT', alg, ...cabecalho })}.${emBase64(claims)}`;
  // The encoding is one of elliptic curves (RFC 7518, 3.4); of RSA there is but one.
  const assinatura = sign('sha256', Buffer.from(dito), { key: chave, dsaEncoding: 'ieee-p1363' });
  return `${dito}.${assinatura.toString('base64url')}`;
}
