import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Gate } from '../../platform/gate/gate.ts';
import { networkSlot } from '../../platform/gate/keys.ts';
import { sourceIp } from '../../platform/http/request.ts';
import { createResponder } from '../../platform/http/responder.ts';
import type { Answer, ResponderDeps } from '../../platform/http/responder.ts';
import { countedNetwork } from '../../platform/ip.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { createPace } from '../../platform/timing/pace.ts';
import { createTurns } from '../../platform/timing/turns.ts';
import { emBytes, recado } from './documento.ts';
import type { Pagina } from './documento.ts';
import { criarPagamento } from './pagamento/pagamento.ts';
import type { PagamentoDeps } from './pagamento/pagamento.ts';
import { telaDesconhecida } from './pagamento/telas.ts';
import { criarPreCadastro } from './pre-cadastro/pre-cadastro.ts';
import type { PreCadastroDeps } from './pre-cadastro/pre-cadastro.ts';
import { telaDeDesconhecido } from './pre-cadastro/telas.ts';
import type { Endereco, Resposta, RespostaDePagina } from './resposta.ts';

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

const CABECALHOS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
};

/** What stands behind a prefix is the link's token, if it is anything. */
const ALVO = /^\/(?<pagina>pre-cadastro|pix|pagar|boleto)(?:\/(?<token>[^?]*?)(?<consulta>\/situacao)?)?(?:\?|$)/;

/** Of boletos; see the ADR. */
const VEZES = { maxWaiting: 2000, patienceMs: 20_000, maxRestMs: 100 };

interface Familia {
  /** Requests of one network in a minute; see each. */
  readonly limite: number;
  /** Of the limit's window. */
  readonly janela: string;
  readonly metodos: readonly string[];
  readonly comoAbrir: string;
  readonly desconhecida: () => Pagina;
  readonly responder: (ctx: Context, endereco: Endereco, rede: string, requestId: string) => Promise<Resposta>;
}

/** What the subscriber opens: documents for people, each of which says what went wrong and what to do. */
export function createPaginas(deps: PaginasDeps): Paginas {
  const { gate, metrics, proxies } = deps;
  const preCadastro = criarPreCadastro(deps);
  const pagamento = criarPagamento({ ...deps, vezes: createTurns(VEZES) });
  const comecar = createPace();
  const responder = createResponder(deps);

  const registro: Familia = {
    // A person needs a few, and a household behind one address a few more.
    limite: 60,
    janela: 'pagina',
    metodos: ['GET', 'HEAD', 'POST'],
    comoAbrir: 'Abra o link do seu convite no navegador.',
    desconhecida: telaDeDesconhecido,
    responder: async (ctx, { token }, _rede, requestId) => preCadastro(ctx, token, requestId),
  };
  const cobranca: Familia = {
    // An open page asks 12 times a minute, and a provider's subscribers may all stand behind one address (CGNAT).
    limite: 3000,
    janela: 'pagamento',
    metodos: ['GET', 'HEAD'],
    comoAbrir: 'Abra o link da sua fatura no navegador.',
    desconhecida: telaDesconhecida,
    responder: pagamento,
  };
  const familiaDe = ({ pagina }: Endereco): Familia => (pagina === 'pre-cadastro' ? registro : cobranca);

  async function atender(ctx: Context, endereco: Endereco, requestId: string): Promise<Resposta> {
    const familia = familiaDe(endereco);
    const rede = networkSlot(countedNetwork(sourceIp(ctx.req, proxies)));
    const { count, resetMs } = await gate.admit(rede, familia.janela, []);
    if (count > familia.limite) {
      metrics.refusal('rede');
      return muitosPedidos(Math.max(1, Math.ceil(resetMs / 1000)));
    }
    // RFC 9112, section 3.2: without a Host there is no saying whose page was meant.
    if (ctx.req.headers.host === undefined && ctx.req.httpVersion !== '1.0') {
      return { status: 400, pagina: recado('Pedido incompleto', null, 'Falta dizer de que endereço é a página.') };
    }
    if (endereco.token === '') return { status: 404, pagina: familia.desconhecida() };
    if (!familia.metodos.includes(ctx.method)) {
      const pagina = recado('Isso não é possível aqui', null, familia.comoAbrir);
      return { status: 405, pagina, cabecalhos: { Allow: familia.metodos.join(', ') } };
    }
    return familia.responder(ctx, endereco, rede, requestId);
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
        async (requestId) => emResposta(await atender(ctx, endereco, requestId)),
        () => emResposta(falha()),
      );
    },
  };
}

function lerEndereco({ url = '' }: IncomingMessage): Endereco | null {
  const { pagina, token = '', consulta } = ALVO.exec(url)?.groups ?? {};
  return pagina === undefined ? null : { pagina, token, consulta: consulta !== undefined };
}

function emResposta(resposta: Resposta): Answer {
  const { status } = resposta;
  if ('corpo' in resposta) {
    const { tipo, corpo, cabecalhos } = resposta;
    return { status, type: tipo, body: corpo, headers: { ...CABECALHOS, ...cabecalhos } };
  }
  const { pagina, cabecalhos } = resposta;
  const politica = pagina === null ? {} : { 'Content-Security-Policy': pagina.politica };
  return {
    status,
    type: 'text/html; charset=utf-8',
    body: pagina === null ? null : emBytes(pagina.html),
    headers: { ...CABECALHOS, ...politica, ...cabecalhos },
  };
}

function muitosPedidos(segundos: number): RespostaDePagina {
  return {
    status: 429,
    pagina: recado(
      'Muitas tentativas seguidas',
      null,
      `Chegaram muitos pedidos da sua rede. Espere ${segundos === 1 ? '1 segundo' : `${segundos} segundos`} e tente de novo.`,
    ),
    cabecalhos: { 'Retry-After': String(segundos) },
  };
}

const falha = (): RespostaDePagina => ({
  status: 500,
  pagina: recado(
    'Algo deu errado do nosso lado',
    null,
    'A página não pôde ser mostrada agora. Tente de novo em alguns instantes; o seu link continua valendo.',
  ),
});
