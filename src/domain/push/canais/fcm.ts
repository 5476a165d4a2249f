import { createPrivateKey, hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import type { ContaFcm } from '../conta/conta.regras.ts';
import type { Desfecho, Nota } from './canal.types.ts';
import { assinarJwt } from './jwt.ts';
import { desfechoDe } from './resposta.regras.ts';

/** Where Google's services are. */
export interface EnderecosDoGoogle {
  readonly token: string;
  readonly fcm: string;
}

const GOOGLE: EnderecosDoGoogle = {
  token: 'https://oauth2.googleapis.com/token',
  fcm: 'https://fcm.googleapis.com',
};

/** @param base of what stands in for Google, in tests: the paths are the same */
export const enderecosDoGoogle = (base: string | undefined): EnderecosDoGoogle =>
  base === undefined ? GOOGLE : { token: `${base}/token`, fcm: base };

const ESCOPO = 'https://www.googleapis.com/auth/firebase.messaging';
const CONCESSAO = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** Google's tokens hold for an hour. */
const TOKEN_GUARDADO_MS = 55 * 60_000;
const MAIS_TOKENS = 1000;

export interface FcmDeps {
  readonly saida: Pick<Outbound, 'send'>;
  readonly enderecos: EnderecosDoGoogle;
}

interface Token {
  readonly texto: string;
  readonly ate: number;
}

/** Sends through Firebase Cloud Messaging, HTTP v1, in the name of a provider's own service account. */
export function createFcm({ saida, enderecos }: FcmDeps) {
  /** By the account with its private key: its name and its key's are no secret, and another provider may say them too. */
  const tokens = new LRUCache<string, Token>({ max: MAIS_TOKENS });

  async function pedirToken({ email, chave, chaveId }: ContaFcm, agora: Date): Promise<Token | Desfecho> {
    const iat = Math.floor(agora.getTime() / 1000);
    // The audience is Google's, whoever stands in for it.
    const claims = { iss: email, scope: ESCOPO, aud: GOOGLE.token, iat, exp: iat + 3600 };
    const assertion = assinarJwt(createPrivateKey(chave), claims, { kid: chaveId });
    const resposta = await saida.send({
      url: enderecos.token,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: CONCESSAO, assertion }).toString(),
    });
    const desfecho = desfechoDe(resposta, agora);
    // Whoever gives the account anew is heard by the next attempt.
    if (desfecho.tipo !== 'entregue') return { tipo: 'repetir', erro: 'fcm_conta_recusada', esperaMs: null };
    const { access_token: texto } = objeto(resposta.body) as { access_token?: unknown };
    if (typeof texto !== 'string' || texto === '') return { tipo: 'repetir', erro: 'fcm_sem_token', esperaMs: null };
    return { texto, ate: agora.getTime() + TOKEN_GUARDADO_MS };
  }

  /** @throws OutboundFailure */
  return async (conta: ContaFcm, aparelho: string, nota: Nota, agora: Date): Promise<Desfecho> => {
    const nome = hash('sha256', JSON.stringify([conta.email, conta.chaveId, conta.chave]));
    let token = tokens.get(nome);
    if (token === undefined || token.ate <= agora.getTime()) {
      const pedido = await pedirToken(conta, agora);
      if ('tipo' in pedido) return pedido;
      token = pedido;
      tokens.set(nome, token);
    }
    const resposta = await saida.send({
      url: `${enderecos.fcm}/v1/projects/${encodeURIComponent(conta.projeto)}/messages:send`,
      method: 'POST',
      headers: { authorization: `Bearer ${token.texto}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: mensagem(aparelho, nota, agora) }),
    });
    if (resposta.status === 401) {
      tokens.delete(nome);
      return { tipo: 'repetir', erro: 'resposta_401', esperaMs: null };
    }
    const some = semAparelho(resposta.status, objeto(resposta.body));
    return some === null ? desfechoDe(resposta, agora) : { tipo: 'sumiu', erro: some };
  };
}

function mensagem(token: string, { topico, titulo, texto, dados, ttl }: Nota, agora: Date): object {
  const expira = Math.floor(agora.getTime() / 1000) + ttl;
  return {
    token,
    notification: { title: titulo, body: texto },
    // FCM takes texts alone.
    data: Object.fromEntries(Object.entries(dados).map(([nome, valor]) => [nome, String(valor)])),
    android: { collapse_key: topico, ttl: `${ttl}s`, priority: 'HIGH', notification: { tag: topico } },
    apns: { headers: { 'apns-collapse-id': topico, 'apns-expiration': String(expira) } },
  };
}

interface DetalheDoErro {
  readonly errorCode?: string;
  readonly fieldViolations?: readonly { readonly field?: string }[];
}

/** Why there is no device behind a token any more; null where that is not what was answered. */
function semAparelho(status: number, corpo: object): string | null {
  if (status !== 404 && status !== 400) return null;
  const detalhes = (corpo as { error?: { details?: readonly DetalheDoErro[] } }).error?.details ?? [];
  if (status === 404) return detalhes.some(({ errorCode }) => errorCode === 'UNREGISTERED') ? 'fcm_sem_registro' : null;
  const doToken = detalhes.some(({ fieldViolations = [] }) =>
    fieldViolations.some(({ field }) => field === 'message.token'),
  );
  return doToken ? 'fcm_token_invalido' : null;
}

/** An answer's body; an empty object where it is none. */
function objeto(corpo: Buffer): object {
  try {
    const lido: unknown = JSON.parse(corpo.toString());
    return typeof lido === 'object' && lido !== null ? lido : {};
  } catch {
    return {};
  }
}
