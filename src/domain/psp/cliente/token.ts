import type { ModoDoToken, SegredosDoConvenio } from '../psp.types.ts';

/** Of a token that does not say how long it is good. */
const PRAZO_SEM_DIZER_S = 300;
const MAIOR_PRAZO_S = 86_400;
/** How much earlier than it says a token is given up. */
const FOLGA = 0.1;

/** The request of a token by client credentials (RFC 6749, 4.4). */
export function pedidoDeToken(url: string, modo: ModoDoToken, segredos: SegredosDoConvenio, semSegredo: boolean) {
  const { clientId, clientSecret } = segredos;
  const secreto = semSegredo || clientSecret === null ? null : clientSecret;
  const grant = { grant_type: 'client_credentials' };
  const credenciais = { client_id: clientId, ...(secreto === null ? {} : { client_secret: secreto }) };
  const basic = { authorization: `Basic ${Buffer.from(`${clientId}:${secreto ?? ''}`).toString('base64')}` };
  const forma = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  switch (modo) {
    case 'form':
      return {
        url,
        method: 'POST',
        headers: forma,
        body: new URLSearchParams({ ...grant, ...credenciais }).toString(),
      } as const;
    case 'query': {
      const com = `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(grant).toString()}`;
      return { url: com, method: 'POST', headers: forma, body: new URLSearchParams(credenciais).toString() } as const;
    }
    case 'basic':
      break;
  }
  return { url, method: 'POST', headers: { ...forma, ...basic }, body: new URLSearchParams(grant).toString() } as const;
}

/** A token as it came, and for how many milliseconds it is used; null where there is none. */
export function prazoDoToken(json: unknown): { readonly token: string; readonly ms: number } | null {
  if (typeof json !== 'object' || json === null) return null;
  const { access_token: token, expires_in: dito } = json as Record<string, unknown>;
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(token)) return null;
  const segundos = Number(dito);
  const prazo = Number.isFinite(segundos) && segundos > 0 ? Math.min(segundos, MAIOR_PRAZO_S) : PRAZO_SEM_DIZER_S;
  return { token, ms: prazo * (1 - FOLGA) * 1000 };
}
