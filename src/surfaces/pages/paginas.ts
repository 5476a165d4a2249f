import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Gate } from '../../platform/gate/gate.ts';
import { networkSlot } from '../../platform/gate/keys.ts';
import { givenRequestId, sourceIp } from '../../platform/http/request.ts';
import { countedNetwork } from '../../platform/ip.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { emBytes, politicaDeSeguranca, recado } from './documento.ts';
import type { Resposta } from './documento.ts';
import { criarPreCadastro } from './pre-cadastro/pre-cadastro.ts';
import type { PreCadastroDeps } from './pre-cadastro/pre-cadastro.ts';
import { SCRIPT } from './pre-cadastro/script.ts';
import { telaDeDesconhecido } from './pre-cadastro/telas.ts';

export interface PaginasDeps extends PreCadastroDeps {
  readonly gate: Pick<Gate, 'admit'>;
  readonly metrics: Pick<Metrics, 'request' | 'refusal'>;
  /** A line a request at `info` instead of `debug`. */
  readonly registrar: boolean;
}

export interface Paginas {
  /** Whether a request is for a page. */
  readonly atende: (request: IncomingMessage) => boolean;
  /** Answers requests for pages; leaves all others to what follows. */
  readonly middleware: Middleware;
}

const HTML_UTF8 = 'text/html; charset=utf-8';

/** Of one network, whichever pages it asks for: a person needs a few, and a household behind one address a few more. */
const LIMITE_POR_MINUTO = 60;

const CABECALHOS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': politicaDeSeguranca([SCRIPT]),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
};

/** A target of ours, in origin or absolute form; what stands behind the prefix is the link's token, if it is anything. */
const ALVO = /^(?:https?:\/\/[^/?#]*)?\/pre-cadastro(?:\/([^?#]*))?(?:[?#]|$)/;

const METODOS = ['GET', 'HEAD', 'POST'];

/** What the subscriber opens: documents in HTML for people, each of which says what went wrong and what to do. */
export function createPaginas(deps: PaginasDeps): Paginas {
  const { gate, metrics, logger, registrar, proxies } = deps;
  const preCadastro = criarPreCadastro(deps);
  const nivel = registrar ? 'info' : 'debug';

  async function atender(ctx: Context, requestId: string): Promise<Resposta> {
    const rede = networkSlot(countedNetwork(sourceIp(ctx.req, proxies)));
    const { count, resetMs } = await gate.admit(rede, 'pagina', []);
    if (count > LIMITE_POR_MINUTO) {
      metrics.refusal('rede');
      return muitosPedidos(Math.max(1, Math.ceil(resetMs / 1000)));
    }
    // RFC 9112, section 3.2: without a Host there is no saying whose page was meant.
    if (ctx.req.headers.host === undefined && ctx.req.httpVersion !== '1.0') {
      return { status: 400, documento: recado('Pedido incompleto', null, 'Falta dizer de que endereço é a página.') };
    }
    const token = ALVO.exec(ctx.req.url ?? '')?.[1] ?? '';
    if (token === '') return { status: 404, documento: telaDeDesconhecido() };
    if (!METODOS.includes(ctx.method)) {
      const documento = recado('Isso não é possível aqui', null, 'Abra o link do seu convite no navegador.');
      return { status: 405, documento, cabecalhos: { Allow: METODOS.join(', ') } };
    }
    return preCadastro(ctx, token, requestId);
  }

  const atende = ({ url = '' }: IncomingMessage): boolean => ALVO.test(url);

  return {
    atende,

    async middleware(ctx, next) {
      if (!atende(ctx.req)) {
        await next();
        return;
      }
      const inicio = performance.now();
      const requestId = givenRequestId(ctx.req) ?? randomUUID();
      // The path holds the link's secret: what is measured and logged is the pattern.
      const rota = METODOS.includes(ctx.method) ? `${ctx.method} /pre-cadastro/{token}` : 'nenhuma';
      const { status, documento, cabecalhos } = await atender(ctx, requestId).catch((error: unknown) => {
        logger.error({ err: error, requestId, rota }, 'falha inesperada');
        return falha();
      });
      ctx.status = status;
      ctx.set({ ...CABECALHOS, ...cabecalhos, 'X-Request-Id': requestId });
      ctx.type = HTML_UTF8;
      ctx.body = documento === null ? '' : emBytes(documento);
      const ms = performance.now() - inicio;
      metrics.request(rota, status, ms);
      if (!logger.isLevelEnabled(nivel)) return;
      logger[nivel]({ requestId, rota, status, ms: Math.round(ms * 100) / 100 }, 'requisição');
    },
  };
}

function muitosPedidos(segundos: number): Resposta {
  return {
    status: 429,
    documento: recado(
      'Muitas tentativas seguidas',
      null,
      `Chegaram muitos pedidos da sua rede. Espere ${segundos === 1 ? '1 segundo' : `${segundos} segundos`} e tente de novo.`,
    ),
    cabecalhos: { 'Retry-After': String(segundos) },
  };
}

const falha = (): Resposta => ({
  status: 500,
  documento: recado(
    'Algo deu errado do nosso lado',
    null,
    'A página não pôde ser mostrada agora. Tente de novo em alguns instantes; o seu link continua valendo.',
  ),
});
