import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import type { Dominio } from '../../domain/dominio.ts';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import { PROVEDOR_TAG } from '../../domain/tags.ts';
import type { Moment } from '../../platform/gate/gate.ts';
import { tenantSlot } from '../../platform/gate/keys.ts';
import { toJson } from '../../platform/json.ts';
import { etagOf } from '../../platform/response-cache/response-cache.ts';
import type { ResponseCache } from '../../platform/response-cache/response-cache.ts';
import { untracked } from '../../platform/response-cache/trail.ts';
import type { Trail } from '../../platform/response-cache/trail.ts';
import { criarLeitorDeCorpo } from './corpo.ts';
import { exigir } from './erros.ts';
import { criarGuarda } from './guarda.ts';
import type { Sessao } from './porta.ts';
import { responder, responderPronto } from './respostas.ts';
import type { Resultado, Rota } from './rota.ts';

/** Base address of the public API on every host. */
export const BASE = '/api/v1';

/** What the door found out about a request. */
interface Admitida {
  readonly sessao: Sessao;
  /** Left for those who watch. */
  rota?: Rota;
  /** When it came to the gate; null when Redis could not say. */
  readonly desde: Moment | null;
}

export interface RoteadorDeps {
  readonly dominioDe: (provedor: Provedor, trail: Trail) => Dominio;
  readonly cache: ResponseCache<Rota>;
}

/** Name of a request's response in the cache. */
export const nomeNoCache = (provedorId: number, url: string): string => `${provedorId} ${url}`;

/** Whether a key may use a route. */
export function permite({ permissao }: Rota, { chave }: Sessao): boolean {
  return permissao === null || chave.permissoes.includes(permissao);
}

/** Ends the request unless its key may use the route. @throws ErroApi `permissao_insuficiente` */
export function exigirPermissao(rota: Rota, sessao: Sessao): void {
  exigir(permite(rota, sessao), 'permissao_insuficiente', `Esta rota exige a permissão ${rota.permissao ?? ''}.`);
}

/** The routes behind the door, as Koa middleware; a path or method of none of them ends in `next`. */
export function criarRoteador(rotas: readonly Rota[], deps: RoteadorDeps): Middleware {
  const router = new Router<Admitida>({ prefix: BASE, sensitive: true, strict: true });
  for (const rota of rotas) montar(router, rota, deps);
  return router.routes() as unknown as Middleware;
}

function montar(router: Router<Admitida>, rota: Rota, { dominioDe, cache }: RoteadorDeps): void {
  const guarda = criarGuarda(rota.consulta, rota.corpo?.esquema ?? null);
  const lerCorpo = criarLeitorDeCorpo(rota);
  const caminho = rota.caminho.replaceAll(/\{(\w+)\}/g, ':$1');

  router[rota.metodo.toLowerCase() as 'get' | 'post' | 'patch'](caminho, async (ctx) => {
    // @koa/router answers HEAD on GET routes by itself; the API has only the methods it lists.
    exigir(ctx.method === rota.metodo, 'rota_inexistente');
    ctx.state.rota = rota;
    const { sessao, desde } = ctx.state;
    const { provedor } = sessao;
    exigirPermissao(rota, sessao);
    const id = ctx.params['id'] === undefined ? 0 : guarda.id(ctx.params['id']);
    const consulta = guarda.consulta(ctx.querystring);
    const corpo = guarda.corpo(await lerCorpo(ctx));
    const executar = async (trail: Trail): Promise<object> =>
      envelope(await rota.executar({ id, consulta, corpo, sessao, dominio: dominioDe(provedor, trail) }));

    if (rota.metodo !== 'GET') {
      responder(ctx, rota.sucesso, await executar(untracked));
    } else if (rota.daChave) {
      const body = Buffer.from(toJson(await executar(untracked)));
      responderPronto(ctx, { body, etag: etagOf(body) });
    } else {
      const resposta = await cache.load({
        key: nomeNoCache(provedor.id, ctx.url),
        slot: tenantSlot(provedor.id),
        since: desde,
        implied: [PROVEDOR_TAG],
        meta: rota,
        produce: async (trail) => toJson(await executar(trail)),
      });
      responderPronto(ctx, resposta);
    }
  });
}

function envelope({ dados, paginacao }: Resultado<unknown>): object {
  return { sucesso: true, dados, ...(paginacao === undefined ? {} : { paginacao }) };
}
