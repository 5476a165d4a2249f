import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { givenRequestId, requestHost, sourceIp } from '../../platform/http/request.ts';
import type { Fault, Origin, RawResponse } from '../../platform/http/server.ts';
import { toJson } from '../../platform/json.ts';
import type { CachedResponse } from '../../platform/cache/response-cache.ts';
import { CSP_DA_DOCUMENTACAO, createDocumentacao } from './documentacao.ts';
import { ErroApi, corpoDoErro, exigir, paraErroApi } from './erros.ts';
import type { Observar } from './observacao.ts';
import { gerarOpenApi } from './openapi.ts';
import type { Entrada, Limite, Porta, Sessao } from './porta.ts';
import {
  CABECALHOS_DE_TODAS,
  JSON_UTF8,
  cabecalhosDoLimite,
  enviarPronto,
  responder,
  responderPronto,
} from './respostas.ts';
import type { Rota } from './rota.ts';
import { ROTAS } from './rotas.ts';
import { BASE, criarRoteador, exigirPermissao, nomeNoCache, permite } from './roteador.ts';
import type { RoteadorDeps } from './roteador.ts';

/** Also matches more than the pages that ask for no key: then the middleware does what `receber` would. */
const SEM_CHAVE = /\/(openapi\.json|docs)/;

export interface PublicApiDeps extends RoteadorDeps {
  readonly porta: Porta;
  readonly logger: Logger;
  /** Told of each answer. */
  readonly observar: Observar;
  /** Trusted proxies in front. */
  readonly proxies: number;
  /** The API's routes; tests add routes of their own. */
  readonly rotas?: readonly Rota[];
}

/** What is known of a request once the door has decided. */
interface Chegada {
  readonly entrada: Entrada;
  /** What the cache holds for it, good or not. */
  readonly guardada: CachedResponse<Rota> | undefined;
  /** Whether what it holds is the answer. */
  readonly boa: boolean;
}

/** An answer that the cache holds for a request, and whose it is. */
interface Pronta {
  readonly limite: Limite;
  readonly sessao: Sessao;
  readonly guardada: CachedResponse<Rota>;
}

const FALTAS: Readonly<Record<Fault, string>> = {
  syntax: 'requisição: não é HTTP bem formado.',
  target: 'requisição: o alvo não é um caminho nem um endereço http.',
  host: 'Host: o cabeçalho veio mais de uma vez.',
  late: 'requisição: não chegou inteira a tempo.',
};

export interface PublicApi {
  /** Answers from the cache what it can, without Koa; hands anything else to `seguir`, which must run `middleware`. */
  readonly receber: (request: IncomingMessage, response: ServerResponse, seguir: () => void) => Promise<void>;
  /** `/api/v1`: errors and headers outermost, then the door, then the cache, then the routes. */
  readonly middleware: Middleware;
  /** The answer to what is no HTTP request, with the headers that every response has. */
  readonly recusarMalformada: (falta: Fault, origem: Origin) => Promise<RawResponse>;
}

export function createPublicApi(deps: PublicApiDeps): PublicApi {
  const { porta, cache, logger, observar, proxies, rotas = ROTAS } = deps;
  const rotear = criarRoteador(rotas, deps);
  const documentacao = createDocumentacao();
  const openapi = Buffer.from(JSON.stringify(gerarOpenApi(rotas), null, 1));

  /** The pages that ask for no key; null when the request is for none of them. */
  async function paginaSemChave(ctx: Context): Promise<{ tipo: string; conteudo: Buffer } | null> {
    if (ctx.method !== 'GET' || !ctx.path.startsWith(`${BASE}/`)) return null;
    const caminho = ctx.path.slice(BASE.length);
    if (caminho === '/openapi.json') return { tipo: JSON_UTF8, conteudo: openapi };
    return caminho.startsWith('/docs') ? documentacao(caminho) : null;
  }

  async function chegar(req: IncomingMessage): Promise<Chegada> {
    const apiKey = req.headers['x-api-key'];
    let guardada: Chegada['guardada'];
    const entrada = await porta.entrar({
      authorization: req.headers.authorization,
      apiKey: typeof apiKey === 'string' ? apiKey : undefined,
      host: requestHost(req),
      ip: sourceIp(req, proxies),
      tags(provedorId, leitor) {
        if (req.method === 'GET') guardada = cache.peek(nomeNoCache(provedorId, req.url ?? '', leitor));
        return guardada?.tags ?? [];
      },
    });
    const leitura = entrada.sessao === null ? null : entrada.leitura;
    const boa = guardada !== undefined && leitura !== null && cache.isGood(guardada, leitura);
    return { entrada, guardada, boa };
  }

  /** Requests that were counted at the door and then left to Koa, and when they came. */
  const chegadas = new WeakMap<IncomingMessage, { inicio: number; chegada: Promise<Chegada> }>();

  async function receber(req: IncomingMessage, res: ServerResponse, seguir: () => void): Promise<void> {
    // What asks for no key, and what is refused before the door, is left whole to the middleware.
    if (req.method !== 'GET' || req.headers.host === undefined || SEM_CHAVE.test(req.url ?? '')) {
      seguir();
      return;
    }
    const inicio = performance.now();
    const chegada = chegar(req);
    const pronta = await chegada.then(doCache, () => null);
    if (pronta === null) {
      chegadas.set(req, { inicio, chegada });
      seguir();
      return;
    }
    const { limite, sessao, guardada } = pronta;
    const requestId = givenRequestId(req) ?? randomUUID();
    enviarPronto(req, res, requestId, limite, guardada);
    observar(performance.now() - inicio, res.statusCode, requestId, { rota: guardada.meta, sessao });
  }

  /** What a request that was admitted may be answered with at once. */
  function doCache({ entrada: { limite, sessao }, guardada, boa }: Chegada): Pronta | null {
    if (!boa || guardada === undefined || sessao === null || !permite(guardada.meta, sessao)) return null;
    return { limite, sessao, guardada };
  }

  async function atender(ctx: Context): Promise<void> {
    // RFC 9112, section 3.2: without a Host there is no saying whose panel was meant.
    exigir(
      ctx.req.headers.host ?? (ctx.req.httpVersion === '1.0' ? '' : null),
      'parametro_invalido',
      'Host: falta o cabeçalho.',
    );
    const ip = sourceIp(ctx.req, proxies);
    const pagina = await paginaSemChave(ctx);
    if (pagina !== null) {
      const { limite, excedido } = await porta.contarRede(ip);
      ctx.set(cabecalhosDoLimite(limite));
      exigir(!excedido, 'limite_excedido');
      ctx.set('Content-Security-Policy', CSP_DA_DOCUMENTACAO);
      ctx.type = pagina.tipo;
      ctx.body = pagina.conteudo;
      return;
    }

    const { entrada, guardada, boa } = await (chegadas.get(ctx.req)?.chegada ?? chegar(ctx.req));
    ctx.set(cabecalhosDoLimite(entrada.limite));
    if (entrada.sessao === null) throw new ErroApi(entrada.recusa);

    const { sessao, leitura } = entrada;
    ctx.state['sessao'] = sessao;
    if (boa && guardada !== undefined) {
      ctx.state['rota'] = guardada.meta;
      exigirPermissao(guardada.meta, sessao);
      responderPronto(ctx, guardada);
      return;
    }
    ctx.state['desde'] = leitura === null ? null : { era: leitura.era, bumps: leitura.bumps };
    await rotear(ctx, async () => {
      throw new ErroApi('rota_inexistente');
    });
  }

  const middleware: Middleware = async (ctx) => {
    const inicio = chegadas.get(ctx.req)?.inicio ?? performance.now();
    const requestId = givenRequestId(ctx.req) ?? randomUUID();
    ctx.set('X-Request-Id', requestId);
    ctx.set(CABECALHOS_DE_TODAS);
    try {
      await atender(ctx);
    } catch (error) {
      let erro = paraErroApi(error);
      if (erro.codigo === 'erro_interno') {
        // A query's error has no frame of ours, so the route is what leads to it.
        const rota = ctx.state['rota'] as Rota | undefined;
        logger.error({ err: error, requestId, rota: rota?.caminho ?? null }, 'falha inesperada');
      }
      // What failed before it was counted is counted by its network: the limit's headers stand on every response.
      if (!ctx.res.hasHeader('X-RateLimit-Limit')) {
        const { limite, excedido } = await porta.contarRede(sourceIp(ctx.req, proxies));
        ctx.set(cabecalhosDoLimite(limite));
        // A failure of ours stays one, however often it is met.
        if (excedido && erro.codigo !== 'erro_interno') erro = new ErroApi('limite_excedido');
      }
      ctx.state['codigo'] = erro.codigo;
      if (erro.codigo === 'limite_excedido') ctx.set('Retry-After', ctx.response.get('X-RateLimit-Reset'));
      responder(ctx, erro.status, corpoDoErro(erro));
    }
    observar(performance.now() - inicio, ctx.status, requestId, ctx.state);
  };

  return {
    receber,
    middleware,
    async recusarMalformada(falta, origem) {
      const inicio = performance.now();
      const requestId = givenRequestId(origem) ?? randomUUID();
      const { limite, excedido } = await porta.contarRede(sourceIp(origem, proxies));
      const erro = excedido ? new ErroApi('limite_excedido') : new ErroApi('parametro_invalido', FALTAS[falta]);
      observar(performance.now() - inicio, erro.status, requestId, { codigo: erro.codigo });
      return {
        status: erro.status,
        headers: {
          'X-Request-Id': requestId,
          ...CABECALHOS_DE_TODAS,
          'Content-Type': JSON_UTF8,
          ...cabecalhosDoLimite(limite),
          ...(excedido ? { 'Retry-After': String(limite.reinicioSegundos) } : {}),
        },
        body: toJson(corpoDoErro(erro)),
      };
    },
  };
}
