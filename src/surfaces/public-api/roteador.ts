import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Dominio, Escritas } from '../../domain/dominio.ts';
import type { Repetivel, RespostaGuardada } from '../../domain/idempotencia/idempotencia.service.ts';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import { PROVEDOR_TAG } from '../../domain/tags.ts';
import type { Moment } from '../../platform/gate/gate.ts';
import { tenantSlot } from '../../platform/gate/keys.ts';
import { toJson } from '../../platform/json.ts';
import { etagOf } from '../../platform/cache/response-cache.ts';
import type { ResponseCache } from '../../platform/cache/response-cache.ts';
import { untracked } from '../../platform/cache/trail.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { Author } from '../../platform/mysql/writes.ts';
import { enviarArquivo } from './arquivo.ts';
import { criarLeitorDeCorpo } from './corpo.ts';
import { exigir } from './erros.ts';
import { criarGuarda } from './guarda.ts';
import type { Sessao } from './porta.ts';
import { JSON_UTF8, responderPronto } from './respostas.ts';
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

/** Who reads, and whether a whole list. */
interface Leitura {
  readonly leitor: string;
  readonly inteira: boolean;
}

export interface RoteadorDeps {
  /** Reads, saying on the trail what that depends on. What it is given may run twice, and then the last counts. */
  readonly ler: <T>(
    provedor: Provedor,
    trail: Trail,
    leitura: Leitura,
    fazer: (dominio: Dominio) => Promise<T>,
  ) => Promise<T>;
  /**
   * Runs what a request changes as one write, under its Idempotency-Key where it has one. What it is given may run several times,
   * and only the last counts.
   */
  readonly escrever: (
    provedor: Provedor,
    autor: Author,
    repetivel: Repetivel | null,
    fazer: (dominio: Dominio, escritas: Escritas) => Promise<RespostaGuardada>,
  ) => Promise<RespostaGuardada>;
  readonly cache: ResponseCache<Rota>;
  /** Ends a read that takes too long and that the cache does not make. */
  readonly prazo: <T>(leitura: Promise<T>) => Promise<T>;
}

/** A list that no person narrows. */
const LISTA_INTEIRA =
  /^[^?]*\/(?:clientes|faturas|chamados)(?:\?(?!.*\b(?:cpf_cnpj|telefone|cliente_id|contrato_id)=)|$)/;

/** Name of a request's response in the cache. Where a page of a whole list begins depends on what its reader has read; see page-walks.ts. */
export function nomeNoCache(provedorId: number, url: string, leitor: string): string {
  return LISTA_INTEIRA.test(url) ? `${provedorId} ${leitor} ${url}` : `${provedorId} ${url}`;
}

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

function montar(router: Router<Admitida>, rota: Rota, { ler, escrever, cache, prazo }: RoteadorDeps): void {
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
    if (rota.abrir !== null) {
      // Not by way of the cache: its bytes are kept elsewhere, and are too many.
      const { abrir } = rota;
      const arquivo = ctx.params['arquivo'] ?? '';
      const leitura = { leitor: sessao.leitor, inteira: false };
      const abrindo = ler(provedor, untracked, leitura, async (dominio) => abrir({ id, arquivo, dominio }));
      await enviarArquivo(ctx, await prazo(abrindo));
      return;
    }
    const executar = async (dominio: Dominio, escritas: Escritas | null): Promise<string> =>
      toJson(envelope(await rota.executar({ id, consulta, corpo, sessao, dominio, escritas })));
    const inteira = LISTA_INTEIRA.test(ctx.url);
    const responder = async (trail: Trail): Promise<string> =>
      ler(provedor, trail, { leitor: sessao.leitor, inteira }, async (dominio) => executar(dominio, null));

    if (rota.metodo !== 'GET') {
      const { chave, ip } = sessao;
      const autor = { name: chave.nome, chaveId: chave.id, ip };
      const repetivel = lerRepeticao(ctx, chave.id, corpo);
      const { status, corpo: texto } = await escrever(provedor, autor, repetivel, async (dominio, escritas) => ({
        status: rota.sucesso,
        corpo: await executar(dominio, escritas),
      }));
      ctx.status = status;
      ctx.type = JSON_UTF8;
      ctx.body = texto;
    } else if (rota.daChave) {
      const body = Buffer.from(await responder(untracked));
      responderPronto(ctx, { body, etag: etagOf(body) });
    } else {
      const resposta = await cache.load({
        key: nomeNoCache(provedor.id, ctx.url, sessao.leitor),
        slot: tenantSlot(provedor.id),
        since: desde,
        implied: [PROVEDOR_TAG],
        meta: rota,
        patient: inteira,
        produce: responder,
      });
      responderPronto(ctx, resposta);
    }
  });
}

function envelope({ dados, paginacao }: Resultado<unknown>): object {
  return { sucesso: true, dados, ...(paginacao === undefined ? {} : { paginacao }) };
}

/** What makes a request the same as another under one Idempotency-Key; null where it has none. */
function lerRepeticao(ctx: Context, chaveId: number, corpo: unknown): Repetivel | null {
  const marca = ctx.get('Idempotency-Key');
  if (ctx.req.headers['idempotency-key'] === undefined) return null;
  exigir(
    /^[!-~]{1,255}$/.test(marca),
    'parametro_invalido',
    'Idempotency-Key: de 1 a 255 caracteres ASCII visíveis, sem espaços.',
  );
  const campos = Object.entries(corpo ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { chaveId, marca, pedido: JSON.stringify([ctx.method, ctx.path, campos]) };
}
