import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import { cifrarParaNavegador } from './aes128gcm.ts';
import type { Desfecho, Nota } from './canal.types.ts';
import { assinarJwt } from './jwt.ts';
import { desfechoDe } from './resposta.regras.ts';
import type { Vapid } from './vapid.ts';

/** A subscription of a browser's. */
export interface Inscricao {
  readonly endpoint: string;
  /** Both in base64url. */
  readonly p256dh: string;
  readonly auth: string;
}

/** RFC 8292 allows a day. */
const VALIDADE_DO_TOKEN_S = 12 * 3600;

export interface WebPushDeps {
  readonly saida: Pick<Outbound, 'send'>;
  readonly vapid: () => Promise<Vapid>;
}

/** Sends through the push services of browsers (RFC 8030). */
export function createWebPush({ saida, vapid }: WebPushDeps) {
  /**
   * @param assunto who is to be asked about what is sent: an `https:` address
   * @throws OutboundFailure
   */
  return async (
    { endpoint, p256dh, auth }: Inscricao,
    { topico, titulo, texto, dados, ttl }: Nota,
    assunto: string,
    agora: Date,
  ): Promise<Desfecho> => {
    const { publica, privada } = await vapid();
    const exp = Math.floor(agora.getTime() / 1000) + VALIDADE_DO_TOKEN_S;
    const token = assinarJwt(privada, { aud: new URL(endpoint).origin, exp, sub: assunto });
    const chaves = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') };
    const body = cifrarParaNavegador(Buffer.from(JSON.stringify({ titulo, texto, dados, topico })), chaves);
    const resposta = await saida.send({
      url: endpoint,
      method: 'POST',
      headers: {
        authorization: `vapid t=${token}, k=${publica}`,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(ttl),
        topic: topico,
        urgency: 'high',
      },
      body,
    });
    const { status } = resposta;
    if (status === 404 || status === 410) return { tipo: 'sumiu', erro: `resposta_${status}` };
    return desfechoDe(resposta, agora);
  };
}
