import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { problema } from './resposta.ts';
import type { Resposta } from './resposta.ts';

/** What goes wrong with one request. */
export interface HumorDoPsp {
  readonly atrasoMs?: number;
  /** The connection ends before the request is looked at, or after what it asks for was done. */
  readonly perder?: 'antes' | 'depois';
  /** Answered with this, and nothing done. */
  readonly status?: number;
  readonly depoisDe?: number;
  readonly mudo?: boolean;
  /** What is answered instead of the truth. */
  readonly mentira?: unknown;
}

export interface PedidosDeps {
  readonly agora: () => Date;
  /** Asked of each request: `PUT /cobv/{txid}` and so on, with the last part of its address. */
  readonly humor: (operacao: string, id: string) => HumorDoPsp;
  /** What the API Pix's own schemas say against a body; null: nothing. */
  readonly conferir: (operacao: string, lado: 'pedido' | 'resposta', corpo: unknown) => string | null;
  /** Does what a request asks for; `partes` are those of its address, the resource first. */
  readonly decidir: (metodo: string, partes: readonly string[], consulta: URLSearchParams, corpo: unknown) => Resposta;
}

export const CREDENCIAIS = { client_id: 'demonstracao', client_secret: 'segredo-da-demonstracao' } as const;
const CHAVE_DO_TOKEN = `Basic ${Buffer.from(`${CREDENCIAIS.client_id}:${CREDENCIAIS.client_secret}`).toString('base64')}`;
const DURA_S = 300;
const PEDIR_TOKEN = 'POST /oauth/token';

/** How the stand-in is asked: the certificate, the token (OAuth), the schemas, and what goes wrong with a request. */
export function criarPedidos({ agora, humor, conferir, decidir }: PedidosDeps) {
  const tokens = new Map<string, number>();
  const foraDoEsquema: string[] = [];
  let pedidosDeToken = 0;

  function darToken(autorizacao: string | undefined): Resposta {
    pedidosDeToken += 1;
    if (autorizacao !== CHAVE_DO_TOKEN) return { status: 401, corpo: { error: 'invalid_client' } };
    const token = randomBytes(24).toString('base64url');
    tokens.set(token, agora().getTime() + DURA_S * 1000);
    return {
      status: 200,
      corpo: { access_token: token, token_type: 'Bearer', expires_in: DURA_S, scope: 'cob.write' },
    };
  }

  return {
    foraDoEsquema,
    deToken: () => pedidosDeToken,

    async responder(pedido: IncomingMessage, resposta: ServerResponse): Promise<void> {
      const socket = pedido.socket as TLSSocket;
      const { pathname, searchParams } = new URL(pedido.url ?? '/', 'https://psp');
      let texto = '';
      for await (const parte of pedido.setEncoding('utf8') as AsyncIterable<string>) texto += parte;
      const dizer = ({ status, corpo }: Resposta, cabecalhos: Record<string, string> = {}): void => {
        const tipo = status >= 400 ? 'application/problem+json' : 'application/json';
        resposta.writeHead(status, { 'content-type': tipo, ...cabecalhos });
        resposta.end(corpo === null ? '' : JSON.stringify(corpo));
      };
      if (!socket.authorized) return dizer({ status: 403, corpo: { detail: 'certificado exigido' } });
      const metodo = pedido.method ?? 'GET';
      const partes = pathname.split('/').slice(2).map(decodeURIComponent);
      const operacao = pathname === '/oauth/token' ? PEDIR_TOKEN : `${metodo} ${moldeDe(partes)}`;
      const { atrasoMs = 0, perder, status, depoisDe, mudo = false, mentira } = humor(operacao, partes.at(-1) ?? '');
      if (perder === 'antes') return void socket.destroy();
      if (mudo) return;
      if (atrasoMs > 0) await sleep(atrasoMs, undefined, { ref: false });
      if (status !== undefined) {
        return dizer(
          { status, corpo: { title: 'por pedido do teste', status } },
          depoisDe === undefined ? {} : { 'retry-after': String(depoisDe) },
        );
      }
      if (operacao === PEDIR_TOKEN) return dizer(darToken(pedido.headers.authorization));
      const token = pedido.headers.authorization?.slice('Bearer '.length) ?? '';
      if ((tokens.get(token) ?? 0) <= agora().getTime()) return dizer({ status: 401, corpo: { title: 'token' } });
      const corpo = texto === '' ? null : (JSON.parse(texto) as unknown);
      const faltaNoPedido = corpo === null ? null : conferir(operacao, 'pedido', corpo);
      if (faltaNoPedido !== null) {
        foraDoEsquema.push(`${operacao}: ${faltaNoPedido}`);
        return dizer(problema(400, 'RequisicaoInvalida', faltaNoPedido));
      }
      const feita = decidir(metodo, partes, searchParams, corpo);
      if (feita.status < 300 && feita.corpo !== null) {
        const falta = conferir(operacao, 'resposta', feita.corpo);
        if (falta !== null) foraDoEsquema.push(`resposta de ${operacao}: ${falta}`);
      }
      if (perder === 'depois') return void socket.destroy();
      dizer({ status: feita.status, corpo: mentira ?? feita.corpo });
    },
  };
}

const MOLDES: Readonly<Record<string, string>> = {
  cob: '{txid}',
  cobv: '{txid}',
  webhook: '{chave}',
  pix: '{e2eid}',
};

/** An address as the API Pix's document has it, as `/pix/{e2eid}/devolucao/{id}`. */
function moldeDe([recurso = '', id, parte]: readonly string[]): string {
  const doId = id === undefined ? '' : `/${MOLDES[recurso] ?? ''}`;
  return `/${recurso}${doId}${parte === undefined ? '' : `/${parte}/{id}`}`;
}
