import { rootCertificates } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { OutboundFailure } from '../../../platform/http/outbound/failure.ts';
import type { FailureReason } from '../../../platform/http/outbound/failure.ts';
import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import { retryAfterMs } from '../../../platform/http/outbound/retry-after.ts';
import { UrlRefused } from '../../../platform/http/outbound/url.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { adaptadorDe } from '../adaptadores/adaptadores.ts';
import type { Caminhos, Recurso, SegredosDoConvenio } from '../psp.types.ts';
import { pedidoDeToken, prazoDoToken } from './token.ts';

/** All that one call may take. What is taken to be done stays taken for longer; see envio.service.ts. */
export const PACIENCIA_MS = 20_000;
/** A page of a thousand PIX has some 600 KiB. */
const MAIOR_RESPOSTA = 4 * 1024 * 1024;
const MAIOR_TOKEN = 64 * 1024;
/** Tokens that are kept; they stay in this process. */
const TOKENS = 2000;

/** Whom to call, and with what; its secrets are open in memory alone. */
export interface ConvenioAberto {
  readonly provedorId: number;
  readonly id: number;
  readonly versao: number;
  readonly adaptador: string;
  readonly base: string;
  readonly tokenUrl: string;
  readonly caminhos: Caminhos;
  readonly cas: string | null;
  readonly segredos: SegredosDoConvenio;
}

export interface Pedido {
  readonly metodo: 'GET' | 'PUT' | 'PATCH';
  readonly recurso: Recurso;
  /** What follows the resource: ids, each of which is escaped. */
  readonly partes: readonly string[];
  readonly consulta?: Readonly<Record<string, string>>;
  readonly corpo?: object;
}

type ErroDoPsp =
  FailureReason | 'ilegivel' | 'limite' | 'credenciais_recusadas' | 'acesso_negado' | `resposta_${number}`;

/** What a PSP answered, or why it said nothing of the matter. */
export type Resposta =
  | { readonly veio: true; readonly status: number; readonly json: unknown }
  | { readonly veio: false; readonly erro: ErroDoPsp; readonly esperaMs: number | null };

export type ClientePsp = ReturnType<typeof createClientePsp>;

const USUAIS: Readonly<Record<Recurso, string>> = { cob: '/cob', cobv: '/cobv', pix: '/pix', webhook: '/webhook' };

const semResposta = (erro: ErroDoPsp, esperaMs: number | null = null): Resposta => ({ veio: false, erro, esperaMs });

/** Speaks the API Pix, by the one guarded way out. Never rejects for what a PSP does or says. */
export function createClientePsp({
  saida,
  relogio,
}: {
  readonly saida: Pick<Outbound, 'send'>;
  readonly relogio: Relogio;
}) {
  const tokens = new LRUCache<string, { readonly token: string; readonly ate: number }>({ max: TOKENS });
  const pedindo = new Map<string, Promise<string | Resposta>>();

  const tlsDe = ({ segredos: { certificado }, cas }: ConvenioAberto) =>
    certificado === null
      ? {}
      : {
          tls: {
            key: certificado.chavePem,
            cert: certificado.cadeiaPem,
            ...(cas === null ? {} : { ca: [...rootCertificates, cas] }),
          },
        };

  async function enviar(pedido: Parameters<Outbound['send']>[0]) {
    try {
      return await saida.send(pedido);
    } catch (error) {
      if (error instanceof OutboundFailure) return semResposta(error.reason);
      if (error instanceof UrlRefused) return semResposta('forbidden');
      throw error;
    }
  }

  async function novoToken(c: ConvenioAberto, nome: string): Promise<string | Resposta> {
    const { modo, semSegredo } = adaptadorDe(c.adaptador);
    const resposta = await enviar({
      ...pedidoDeToken(c.tokenUrl, modo, c.segredos, semSegredo === true),
      ...tlsDe(c),
      longestAnswer: MAIOR_TOKEN,
      wholeMs: PACIENCIA_MS / 2,
    });
    if ('veio' in resposta) return resposta;
    const { status, headers, body } = resposta;
    if (status === 429 || status >= 500) {
      return semResposta(
        status === 429 ? 'limite' : `resposta_${status}`,
        retryAfterMs(headers['retry-after'], relogio.agora()),
      );
    }
    const lido = status >= 200 && status < 300 ? prazoDoToken(lerJson(body)) : null;
    if (lido === null) return semResposta('credenciais_recusadas');
    tokens.set(nome, { token: lido.token, ate: relogio.agora().getTime() + lido.ms });
    return lido.token;
  }

  /** Whoever asks while one is on its way waits for that one. */
  async function tokenDe(c: ConvenioAberto): Promise<string | Resposta> {
    const nome = nomeDoToken(c);
    const guardado = tokens.get(nome);
    if (guardado !== undefined && guardado.ate > relogio.agora().getTime()) return guardado.token;
    const vindo = pedindo.get(nome);
    if (vindo !== undefined) return vindo;
    const novo = novoToken(c, nome).finally(() => pedindo.delete(nome));
    pedindo.set(nome, novo);
    return novo;
  }

  function enderecoDe(c: ConvenioAberto, { recurso, partes, consulta = {} }: Pedido): string {
    const { caminhos = {}, chaveNaConsulta } = adaptadorDe(c.adaptador);
    const caminho = c.caminhos[recurso] ?? caminhos[recurso] ?? USUAIS[recurso];
    const ids = partes.map((parte) => `/${encodeURIComponent(parte)}`).join('');
    const { chaveDoAplicativo } = c.segredos;
    const pares = new URLSearchParams({
      ...consulta,
      ...(chaveNaConsulta === undefined || chaveDoAplicativo === null ? {} : { [chaveNaConsulta]: chaveDoAplicativo }),
    }).toString();
    return `${c.base.replace(/\/+$/, '')}${caminho}${ids}${pares === '' ? '' : `?${pares}`}`;
  }

  async function umaVez(c: ConvenioAberto, pedido: Pedido, token: string): Promise<Resposta> {
    const { idNoCabecalho, noRegistro } = adaptadorDe(c.adaptador);
    const resposta = await enviar({
      url: enderecoDe(c, pedido),
      method: pedido.metodo,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(idNoCabecalho === undefined ? {} : { [idNoCabecalho]: c.segredos.clientId }),
        ...(pedido.recurso === 'webhook' && pedido.metodo === 'PUT' ? noRegistro : {}),
        ...(pedido.corpo === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(pedido.corpo === undefined ? {} : { body: JSON.stringify(pedido.corpo) }),
      ...tlsDe(c),
      longestAnswer: MAIOR_RESPOSTA,
      wholeMs: PACIENCIA_MS,
    });
    if ('veio' in resposta) return resposta;
    const { status, headers, body } = resposta;
    const espera = retryAfterMs(headers['retry-after'], relogio.agora());
    if (status === 429) return semResposta('limite', espera);
    if (status === 401) return semResposta('credenciais_recusadas');
    if (status === 403) return semResposta('acesso_negado');
    if (status >= 500 || status < 200 || (status >= 300 && status < 400))
      return semResposta(`resposta_${status}`, espera);
    const json = lerJson(body);
    if (json === undefined && status < 300) return semResposta('ilegivel');
    return { veio: true, status, json: json ?? null };
  }

  return {
    async pedir(c: ConvenioAberto, pedido: Pedido): Promise<Resposta> {
      const token = await tokenDe(c);
      if (typeof token !== 'string') return token;
      const resposta = await umaVez(c, pedido, token);
      if (resposta.veio || resposta.erro !== 'credenciais_recusadas') return resposta;
      // The token may have been withdrawn before its time; when a new one is refused too, it is the credentials.
      tokens.delete(nomeDoToken(c));
      const outro = await tokenDe(c);
      return typeof outro === 'string' ? umaVez(c, pedido, outro) : outro;
    },
  };
}

/** A change of the agreement raises its version, so that no token of the credentials before it is used. */
const nomeDoToken = ({ provedorId, id, versao }: ConvenioAberto): string => `${provedorId}:${id}:${versao}`;

/** Undefined where it is none: also of an answer that was longer than is read. An empty one is null. */
function lerJson(body: Buffer): unknown {
  if (body.length === 0) return null;
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
