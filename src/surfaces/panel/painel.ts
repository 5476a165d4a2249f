import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Hosts } from '../../access/hosts.ts';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import type { Door } from '../../kit/http/door.ts';
import { requestHost } from '../../platform/http/request.ts';
import { createResponder } from '../../platform/http/responder.ts';
import type { Answer, ResponderDeps } from '../../platform/http/responder.ts';
import { DeadlineError } from '../../platform/timing/deadline.ts';
import { criarAtendimento, temSessao } from './atendimento.ts';
import type { AtendimentoDeps } from './atendimento.ts';
import { BASE, ativos } from './ativos/ativos.ts';
import { ENDERECO_DO_MANIFESTO, HEADERS_DO_MANIFESTO, MANIFESTO } from './ativos/manifesto.ts';
import { ENDERECO_DO_SERVICO, HEADERS_DO_SERVICO, SERVICO } from './ativos/servico.ts';
import { EVENTOS, POR_SI } from './ao-vivo/partes.ts';
import { formularioDeEntrada } from './entrada/telas.ts';
import { criarMapa } from './mapa.ts';
import { eConfiavel, lerPedido } from './pedido.ts';
import type { Pedido } from './pedido.ts';
import { Recusado, naoEncontrado, paraPessoas } from './recusas.ts';
import { HEADERS, criarRespostas } from './respostas.ts';
import type { Rota } from './rota.ts';
import { ROTAS } from './rotas.ts';
import { COR_PADRAO, estiloDaCor } from './moldura/cor.ts';
import type { Recusa, Sessao, Visita } from './sessao.ts';

export interface PainelDeps extends AtendimentoDeps, ResponderDeps {
  readonly door: Door<Sessao, Recusa>;
  readonly hosts: Hosts;
  readonly provedorPorId: (id: number) => Promise<Provedor | null>;
  /** `#rrggbb` of a provider's pages. */
  readonly corDe: (provedorId: number) => Promise<string>;
  /** What the frame counts for somebody: open tickets, and notices that he has not read; null where he may not know. */
  readonly contadores: (
    sessao: Sessao,
  ) => Promise<{ readonly chamados: number | null; readonly naoLidas: number | null }>;
  /** Number of trusted proxies in front of the service. */
  readonly proxies: number;
}

export interface Painel {
  /** Whether a request is for the panel. */
  readonly atende: (request: IncomingMessage) => boolean;
  /** Answers requests for the panel; leaves all others to what follows. */
  readonly middleware: Middleware;
}

const ALVO = /^\/painel(?:[/?]|$)/;
const COR = new RegExp(`^${BASE}/ativos/cor/([0-9a-f]{6})\\.css$`);

const semContadores = { chamados: null, naoLidas: null };

/** Where a provider's people work: pages on its own host, for whoever has signed in. */
export function createPainel(deps: PainelDeps): Painel {
  const { door, hosts, provedorPorId, corDe, contadores, logger, proxies, servicos } = deps;
  const achar = criarMapa(ROTAS);
  const atendimento = criarAtendimento(deps);
  const responder = createResponder(deps);
  const quemPede = new WeakMap<Context, Sessao | Visita>();

  const temPagina = (caminho: string): boolean => {
    const achado = achar('GET', caminho.replace(/\/$/, ''));
    return achado !== null && 'rota' in achado;
  };

  const respostas = criarRespostas(async ({ ctx }) => {
    const alguem = quemPede.get(ctx);
    if (alguem === undefined) return { sessao: null, provedor: null, cor: COR_PADRAO, ...semContadores };
    const sessao = temSessao(alguem) ? alguem : null;
    const [cor, numeros] = await Promise.all([
      corDe(alguem.provedor.id),
      sessao === null ? semContadores : contadores(sessao),
    ]);
    return { sessao, provedor: alguem.provedor.nome, cor, ...numeros };
  }, temPagina);

  /** Whose panel is at the host that was asked. @throws Recusado when it is nobody's */
  async function visita({ host }: Pedido): Promise<Visita> {
    const id = await hosts.idPorHost(host);
    const provedor = id === null ? null : await provedorPorId(id);
    if (provedor !== null) return { provedor };
    throw new Recusado(404, 'Este endereço não é de nenhum provedor', 'Abra o painel pelo endereço do seu provedor.');
  }

  /** Who asks: the session, a visitor of a page for anybody, or null when somebody has to sign in first. */
  async function quem(pedido: Pedido, acesso: Rota['acesso']): Promise<Sessao | Visita | null> {
    const entrada = await door.enter(pedido.ctx.req, pedido.ip, () => undefined);
    if (entrada.admitted) {
      // What a page asks for by itself is no sign of anybody before it: a session that nobody uses ends, however live its page is.
      if (pedido.ctx.get(POR_SI) === 'sim' || pedido.caminho === EVENTOS) return entrada.session;
      servicos.sessoes
        .ver(entrada.session)
        .catch((error: unknown) => logger.warn({ err: error }, 'sessão não anotada'));
      return entrada.session;
    }
    if (entrada.refusal === 'limite') {
      const { resetSeconds } = entrada.limit;
      throw new Recusado(429, 'Muitos pedidos seguidos', `Espere ${resetSeconds} s e tente de novo.`, {
        'Retry-After': String(resetSeconds),
      });
    }
    return acesso === 'publico' ? visita(pedido) : null;
  }

  async function responderA(pedido: Pedido, rota: Rota, parametros: unknown): Promise<Answer | null> {
    const alguem = await quem(pedido, rota.acesso);
    if (alguem === null) {
      quemPede.set(pedido.ctx, await visita(pedido));
      return respostas.semSessao(pedido, formularioDeEntrada());
    }
    // Whoever still lacks something sees nothing of the panel around the page.
    quemPede.set(pedido.ctx, rota.acesso === 'completo' ? alguem : { provedor: alguem.provedor });
    const desfecho = await atendimento.atender(pedido, rota, parametros, alguem);
    if ('tomar' in desfecho) {
      pedido.ctx.set({ ...HEADERS, 'X-Content-Type-Options': 'nosniff', 'X-Request-Id': pedido.requestId });
      await desfecho.tomar(pedido.ctx);
      return null;
    }
    return respostas.de(pedido, desfecho);
  }

  async function aoFalhar(pedido: Pedido, error: unknown, rota: string): Promise<Answer> {
    const recusado = paraPessoas(error) ?? inesperado(error);
    if (recusado.status >= 500) logger.error({ err: error, requestId: pedido.requestId, rota }, 'falha inesperada');
    return respostas.daRecusa(pedido, recusado).catch(() => semNada(recusado));
  }

  /** Whether somebody opened a provider's host without saying what he wants of it. */
  const ehDaRaiz = async ({ path, method, req }: Context): Promise<boolean> =>
    path === '/' && (method === 'GET' || method === 'HEAD') && (await hosts.idPorHost(requestHost(req))) !== null;

  return {
    atende: ({ url = '' }) => ALVO.test(url),

    async middleware(ctx, next) {
      if (!ALVO.test(ctx.url)) {
        if (await ehDaRaiz(ctx)) ctx.redirect(BASE);
        else await next();
        return;
      }
      if (ctx.method === 'GET' && (await enviarAtivo(ctx))) return;
      const achado = achar(ctx.method, ctx.path.slice(BASE.length).replace(/\/$/, ''));
      const rota = achado !== null && 'rota' in achado ? achado.rota : null;
      const nome = rota === null ? 'nenhuma' : `${rota.metodo} ${BASE}${rota.caminho}`;
      let tomado = false;
      await responder(
        ctx,
        nome,
        async (requestId) => {
          const pedido = lerPedido(ctx, requestId, proxies);
          if (eConfiavel(pedido)) ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
          try {
            if (achado === null) throw naoEncontrado();
            if ('metodos' in achado) {
              throw new Recusado(405, 'Isso não é possível aqui', 'Volte e tente de novo pela página.', {
                Allow: achado.metodos.join(', '),
              });
            }
            const answer = await responderA(pedido, achado.rota, achado.parametros);
            tomado = answer === null;
            return answer ?? { status: 200, type: 'text/event-stream', body: null };
          } catch (error) {
            return aoFalhar(pedido, error, nome);
          }
        },
        () => semNada(inesperado(null)),
      );
      if (tomado) ctx.respond = false;
    },
  };
}

async function enviarAtivo(ctx: Context): Promise<boolean> {
  const cor = COR.exec(ctx.path)?.[1];
  if (cor !== undefined) {
    ctx.set({ 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff' });
    ctx.type = 'text/css';
    ctx.body = estiloDaCor(`#${cor}`);
    return true;
  }
  if (ctx.path === ENDERECO_DO_MANIFESTO) {
    ctx.set(HEADERS_DO_MANIFESTO);
    ctx.type = 'application/manifest+json';
    ctx.body = MANIFESTO;
    return true;
  }
  if (ctx.path === ENDERECO_DO_SERVICO) {
    ctx.set(HEADERS_DO_SERVICO);
    ctx.type = 'text/javascript';
    ctx.body = SERVICO;
    return true;
  }
  if (!(await ativos.send(ctx))) return false;
  ctx.set('X-Content-Type-Options', 'nosniff');
  return true;
}

function inesperado(error: unknown): Recusado {
  if (error instanceof DeadlineError) {
    return new Recusado(
      503,
      'Demorou demais',
      'O banco de dados não respondeu a tempo. Veja se ficou feito antes de repetir.',
      { 'Retry-After': '5' },
    );
  }
  return new Recusado(
    500,
    'Algo deu errado do nosso lado',
    'O que você pediu não foi feito. Tente de novo em alguns instantes.',
  );
}

/** When not even the frame can be made. */
const semNada = ({ status, titulo, texto }: Recusado): Answer => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${titulo}. ${texto}`,
  headers: HEADERS,
});
