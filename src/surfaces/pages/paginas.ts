import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { createNetworkLimit } from '../../access/limits.ts';
import type { NetworkLimit } from '../../access/limits.ts';
import type { Page } from '../../kit/html/document.ts';
import { toAnswer } from '../../kit/html/reply.ts';
import type { PageReply, Reply } from '../../kit/html/reply.ts';
import type { Gate } from '../../platform/gate/gate.ts';
import { sourceIp } from '../../platform/http/request.ts';
import { createResponder } from '../../platform/http/responder.ts';
import type { ResponderDeps } from '../../platform/http/responder.ts';
import { countedNetwork } from '../../platform/ip.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { createPace } from '../../platform/timing/pace.ts';
import { createTurns } from '../../platform/timing/turns.ts';
import { recado } from './documento.ts';
import type { Endereco } from './endereco.ts';
import { criarPagamento } from './pagamento/pagamento.ts';
import type { PagamentoDeps } from './pagamento/pagamento.ts';
import { telaDesconhecida } from './pagamento/telas.ts';
import { criarPreCadastro } from './pre-cadastro/pre-cadastro.ts';
import type { PreCadastroDeps } from './pre-cadastro/pre-cadastro.ts';
import { telaDeDesconhecido } from './pre-cadastro/telas.ts';

export interface PaginasDeps extends PreCadastroDeps, Omit<PagamentoDeps, 'vezes'>, ResponderDeps {
  readonly gate: Pick<Gate, 'admit'>;
  readonly metrics: Pick<Metrics, 'request' | 'refusal'>;
}

export interface Paginas {
  /** Whether a request is for a page. */
  readonly atende: (request: IncomingMessage) => boolean;
  /** Takes a request for a page, to begin it when the event loop has room for it; `passar` leads to the middleware. */
  readonly receber: (passar: () => void) => void;
  /** Answers requests for pages; leaves all others to what follows. */
  readonly middleware: Middleware;
}

/** What stands behind a prefix is the link's token, if it is anything. */
const ALVO = /^\/(?<pagina>pre-cadastro|pix|pagar|boleto)(?:\/(?<token>[^?]*?)(?<consulta>\/situacao)?)?(?:\?|$)/;

/** Of boletos; see the ADR. */
const VEZES = { maxWaiting: 2000, patienceMs: 20_000, maxRestMs: 100 };

interface Familia {
  readonly contarRede: NetworkLimit;
  readonly metodos: readonly string[];
  readonly comoAbrir: string;
  readonly desconhecida: () => Page;
  readonly responder: (ctx: Context, endereco: Endereco, rede: string, requestId: string) => Promise<Reply>;
}

/** What the subscriber opens: documents for people, each of which says what went wrong and what to do. */
export function createPaginas(deps: PaginasDeps): Paginas {
  const { gate, metrics, proxies } = deps;
  const { refusal: onRefusal } = metrics;
  const preCadastro = criarPreCadastro(deps);
  const pagamento = criarPagamento({ ...deps, vezes: createTurns(VEZES) });
  const comecar = createPace();
  const responder = createResponder(deps);

  const registro: Familia = {
    // A person needs a few, and a household behind one address a few more.
    contarRede: createNetworkLimit({ gate, name: 'pagina', most: 60, onRefusal }),
    metodos: ['GET', 'HEAD', 'POST'],
    comoAbrir: 'Abra o link do seu convite no navegador.',
    desconhecida: telaDeDesconhecido,
    responder: async (ctx, { token }, _rede, requestId) => preCadastro(ctx, token, requestId),
  };
  const cobranca: Familia = {
    // An open page asks 12 times a minute, and a provider's subscribers may all stand behind one address (CGNAT).
    contarRede: createNetworkLimit({ gate, name: 'pagamento', most: 3000, onRefusal }),
    metodos: ['GET', 'HEAD'],
    comoAbrir: 'Abra o link da sua fatura no navegador.',
    desconhecida: telaDesconhecida,
    responder: pagamento,
  };
  const familiaDe = ({ pagina }: Endereco): Familia => (pagina === 'pre-cadastro' ? registro : cobranca);

  async function atender(ctx: Context, endereco: Endereco, requestId: string): Promise<Reply> {
    const familia = familiaDe(endereco);
    const ip = sourceIp(ctx.req, proxies);
    const { limit, exceeded } = await familia.contarRede(ip);
    if (exceeded) return muitosPedidos(limit.resetSeconds);
    // RFC 9112, section 3.2: without a Host there is no saying whose page was meant.
    if (ctx.req.headers.host === undefined && ctx.req.httpVersion !== '1.0') {
      return { status: 400, page: recado('Pedido incompleto', null, 'Falta dizer de que endereço é a página.') };
    }
    if (endereco.token === '') return { status: 404, page: familia.desconhecida() };
    if (!familia.metodos.includes(ctx.method)) {
      const page = recado('Isso não é possível aqui', null, familia.comoAbrir);
      return { status: 405, page, headers: { Allow: familia.metodos.join(', ') } };
    }
    return familia.responder(ctx, endereco, countedNetwork(ip), requestId);
  }

  return {
    atende: ({ url = '' }) => ALVO.test(url),

    receber: comecar,

    async middleware(ctx, next) {
      const endereco = lerEndereco(ctx.req);
      if (endereco === null) {
        await next();
        return;
      }
      const { pagina, consulta } = endereco;
      const conhecida = familiaDe(endereco).metodos.includes(ctx.method);
      const rota = conhecida ? `${ctx.method} /${pagina}/{token}${consulta ? '/situacao' : ''}` : 'nenhuma';
      await responder(
        ctx,
        rota,
        async (requestId) => toAnswer(await atender(ctx, endereco, requestId)),
        () => toAnswer(falha()),
      );
    },
  };
}

function lerEndereco({ url = '' }: IncomingMessage): Endereco | null {
  const { pagina, token = '', consulta } = ALVO.exec(url)?.groups ?? {};
  return pagina === undefined ? null : { pagina, token, consulta: consulta !== undefined };
}

function muitosPedidos(segundos: number): PageReply {
  return {
    status: 429,
    page: recado(
      'Muitas tentativas seguidas',
      null,
      `Chegaram muitos pedidos da sua rede. Espere ${segundos === 1 ? '1 segundo' : `${segundos} segundos`} e tente de novo.`,
    ),
    headers: { 'Retry-After': String(segundos) },
  };
}

const falha = (): PageReply => ({
  status: 500,
  page: recado(
    'Algo deu errado do nosso lado',
    null,
    'A página não pôde ser mostrada agora. Tente de novo em alguns instantes; o seu link continua valendo.',
  ),
});
