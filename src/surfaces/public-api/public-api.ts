import { randomUUID } from 'node:crypto';
import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import type { Logger } from 'pino';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import type { Dominio } from '../../domain/dominio.ts';
import { givenRequestId, requestHost, sourceIp } from '../../platform/http/request.ts';
import type { RawResponse } from '../../platform/http/server.ts';
import { normalizeIp } from '../../platform/ip.ts';
import { toJson } from '../../platform/json.ts';
import { CSP_DA_DOCUMENTACAO, createDocumentacao } from './documentacao.ts';
import { ErroApi, corpoDoErro, exigir } from './erros.ts';
import { criarGuarda } from './guarda.ts';
import { gerarOpenApi } from './openapi.ts';
import type { Entrada, Limite, Porta, Sessao } from './porta.ts';
import type { Rota } from './rota.ts';
import { ROTAS } from './rotas.ts';

/** Base address of the public API on every host. */
const BASE = '/api/v1';

const JSON_MIME = 'application/json';
const JSON_UTF8 = `${JSON_MIME}; charset=utf-8`;
const LIMITE_DO_CORPO = '64kb';

export interface PublicApiDeps {
  readonly porta: Porta;
  readonly dominioDe: (provedor: Provedor) => Dominio;
  readonly logger: Logger;
  /** Trusted proxies in front. */
  readonly proxies: number;
  /** The API's routes; tests add routes of their own. */
  readonly rotas?: readonly Rota[];
}

export interface PublicApi {
  /** `/api/v1`: errors and headers outermost, then the door, then the routes. */
  readonly middleware: Middleware;
  /** The answer to bytes that are no HTTP request, with the headers that every response has. */
  readonly recusarMalformada: (remoteAddress: string | undefined) => Promise<RawResponse>;
}

export function createPublicApi({ porta, dominioDe, logger, proxies, rotas = ROTAS }: PublicApiDeps): PublicApi {
  const router = new Router<{ sessao: Sessao }>({ prefix: BASE, sensitive: true, strict: true });
  for (const rota of rotas) montar(router, rota, dominioDe);
  const despachar = router.routes();
  const documentacao = createDocumentacao();
  const openapi = Buffer.from(JSON.stringify(gerarOpenApi(rotas), null, 1));

  /** The pages that ask for no key; null when the request is for none of them. */
  async function paginaSemChave(ctx: Context): Promise<{ tipo: string; conteudo: Buffer } | null> {
    if (ctx.method !== 'GET' || !ctx.path.startsWith(`${BASE}/`)) return null;
    const caminho = ctx.path.slice(BASE.length);
    if (caminho === '/openapi.json') return { tipo: JSON_UTF8, conteudo: openapi };
    return documentacao(caminho);
  }

  async function atender(ctx: Context): Promise<void> {
    // RFC 9112, section 3.2: without a Host there is no saying whose panel was meant.
    exigir(ctx.req.headers.host, 'parametro_invalido', 'Host: falta o cabeçalho.');
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

    const apiKey = ctx.req.headers['x-api-key'];
    const entrada: Entrada = await porta.entrar({
      authorization: ctx.req.headers.authorization,
      apiKey: typeof apiKey === 'string' ? apiKey : undefined,
      host: requestHost(ctx.req),
      ip,
    });
    ctx.set(cabecalhosDoLimite(entrada.limite));
    if (entrada.sessao === null) throw new ErroApi(entrada.recusa);
    ctx.state['sessao'] = entrada.sessao;
    await despachar(ctx as Parameters<typeof despachar>[0], async () => {
      throw new ErroApi('rota_inexistente');
    });
  }

  const middleware: Middleware = async (ctx) => {
    const requestId = givenRequestId(ctx.req) ?? randomUUID();
    ctx.set('X-Request-Id', requestId);
    ctx.set('Cache-Control', 'private, no-cache');
    ctx.set('X-Content-Type-Options', 'nosniff');
    try {
      await atender(ctx);
    } catch (error) {
      const erro = error instanceof ErroApi ? error : new ErroApi('erro_interno');
      if (erro !== error) logger.error({ err: error, requestId }, 'falha inesperada');
      // What failed before it was counted is counted by its network: the limit's headers stand on every response.
      if (!ctx.res.hasHeader('X-RateLimit-Limit')) {
        ctx.set(cabecalhosDoLimite((await porta.contarRede(sourceIp(ctx.req, proxies))).limite));
      }
      if (erro.codigo === 'limite_excedido') ctx.set('Retry-After', ctx.response.get('X-RateLimit-Reset'));
      responder(ctx, erro.status, corpoDoErro(erro));
    }
  };

  return {
    middleware,
    async recusarMalformada(remoteAddress) {
      const { limite } = await porta.contarRede(normalizeIp(remoteAddress ?? '') ?? '0.0.0.0');
      const erro = new ErroApi('parametro_invalido', 'requisição: não é HTTP bem formado.');
      return {
        status: '400 Bad Request',
        headers: { 'Content-Type': JSON_UTF8, 'X-Request-Id': randomUUID(), ...cabecalhosDoLimite(limite) },
        body: toJson(corpoDoErro(erro)),
      };
    },
  };
}

function montar(router: Router<{ sessao: Sessao }>, rota: Rota, dominioDe: (provedor: Provedor) => Dominio): void {
  const guarda = criarGuarda(rota.consulta, rota.corpo?.esquema ?? null);
  // The bytes as they came, a character each: a reader that knows UTF-8 would mend what is broken and say nothing.
  const lerCorpo = koaBody({
    json: false,
    text: true,
    urlencoded: false,
    multipart: false,
    encoding: 'latin1',
    textTypes: [JSON_MIME],
    textLimit: LIMITE_DO_CORPO,
    parsedMethods: [HttpMethodEnum[rota.metodo]],
    onError: recusarCorpo,
  });

  async function corpoDe(ctx: Context): Promise<unknown> {
    if (rota.corpo === null) return undefined;
    const { 'transfer-encoding': codificacao, 'content-length': tamanho } = ctx.req.headers;
    const temCorpo = codificacao !== undefined || Number(tamanho ?? 0) > 0;
    if (!temCorpo && !rota.corpo.obrigatorio) return guarda.corpo({});
    exigir(ctx.is(JSON_MIME), 'parametro_invalido', 'corpo: envie JSON, com Content-Type application/json.');
    const emUtf8 = /^(utf-8)?$/i.test(ctx.request.charset);
    const comprimido = !/^(identity)?$/i.test(ctx.get('Content-Encoding'));
    exigir(emUtf8 && !comprimido, 'parametro_invalido', 'corpo: envie JSON em UTF-8, sem compressão.');
    await lerCorpo(ctx, async () => {});
    const bytes = Buffer.from((ctx.request as { body?: string }).body ?? '', 'latin1');
    return guarda.corpo(bytes.length === 0 && !rota.corpo.obrigatorio ? {} : lerJson(bytes));
  }

  const caminho = rota.caminho.replaceAll(/\{(\w+)\}/g, ':$1');
  router[rota.metodo.toLowerCase() as 'get' | 'post' | 'patch'](caminho, async (ctx) => {
    // @koa/router answers HEAD on GET routes by itself; the API has only the methods it lists.
    exigir(ctx.method === rota.metodo, 'rota_inexistente');
    const { sessao } = ctx.state;
    exigir(
      rota.permissao === null || sessao.chave.permissoes.includes(rota.permissao),
      'permissao_insuficiente',
      `Esta rota exige a permissão ${rota.permissao ?? ''}.`,
    );
    const id = ctx.params['id'] === undefined ? 0 : guarda.id(ctx.params['id']);
    const consulta = guarda.consulta(ctx.querystring);
    const corpo = await corpoDe(ctx);
    const dominio = dominioDe(sessao.provedor);
    const { dados, paginacao } = await rota.executar({ id, consulta, corpo, sessao, dominio });
    responder(ctx, rota.sucesso, { sucesso: true, dados, ...(paginacao === undefined ? {} : { paginacao }) });
  });
}

/** @throws ErroApi `parametro_invalido` when the bytes are not JSON in UTF-8. */
function lerJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return recusarCorpo();
  }
}

function recusarCorpo(): never {
  throw new ErroApi('parametro_invalido', 'corpo: deve ser JSON em UTF-8 de até 64 KiB.');
}

function responder(ctx: Context, status: number, corpo: object): void {
  ctx.status = status;
  ctx.type = JSON_UTF8;
  ctx.body = toJson(corpo);
}

/** The limit's headers: the API's own, and the IETF's `RateLimit` fields (draft-ietf-httpapi-ratelimit-headers-10). */
function cabecalhosDoLimite({ limite, restantes, reinicioSegundos }: Limite): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limite),
    'X-RateLimit-Remaining': String(restantes),
    'X-RateLimit-Reset': String(reinicioSegundos),
    'RateLimit-Policy': `"por-minuto";q=${limite};w=60`,
    RateLimit: `"por-minuto";r=${restantes};t=${reinicioSegundos}`,
  };
}
