import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { toJson } from '../../platform/json.ts';
import type { Limite } from './porta.ts';

export const JSON_UTF8 = 'application/json; charset=utf-8';

/** Headers of every response, besides its request id and its limit's. */
export const CABECALHOS_DE_TODAS = {
  'Cache-Control': 'private, no-cache',
  'X-Content-Type-Options': 'nosniff',
};

/** The limit's headers: the API's own, and the IETF's `RateLimit` fields (draft-ietf-httpapi-ratelimit-headers-10). */
export function cabecalhosDoLimite({ limite, restantes, reinicioSegundos }: Limite): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limite),
    'X-RateLimit-Remaining': String(restantes),
    'X-RateLimit-Reset': String(reinicioSegundos),
    'RateLimit-Policy': `"por-minuto";q=${limite};w=60`,
    RateLimit: `"por-minuto";r=${restantes};t=${reinicioSegundos}`,
  };
}

/** Answers with an object as JSON. */
export function responder(ctx: Context, status: number, corpo: object): void {
  ctx.status = status;
  ctx.type = JSON_UTF8;
  ctx.body = toJson(corpo);
}

/** Answers a GET with bytes that are ready, or with 304 when the caller holds them already. */
export function responderPronto(ctx: Context, { body, etag }: { body: Buffer; etag: string }): void {
  ctx.set('ETag', etag);
  const sabidas = ctx.req.headers['if-none-match'];
  if (sabidas !== undefined && confere(sabidas, etag)) {
    ctx.status = 304;
    return;
  }
  ctx.status = 200;
  ctx.type = JSON_UTF8;
  ctx.body = body;
}

const FIXOS = Object.entries(CABECALHOS_DE_TODAS);

/** `responderPronto` without Koa, whose work costs more than all else on a hit. */
export function enviarPronto(
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
  limite: Limite,
  { body, etag }: { body: Buffer; etag: string },
): void {
  const lista = ['X-Request-Id', requestId, 'ETag', etag];
  for (const [nome, valor] of FIXOS) lista.push(nome, valor);
  const doLimite = cabecalhosDoLimite(limite);
  for (const nome in doLimite) lista.push(nome, doLimite[nome] ?? '');
  const sabidas = req.headers['if-none-match'];
  if (sabidas !== undefined && confere(sabidas, etag)) {
    res.writeHead(304, lista).end();
    return;
  }
  lista.push('Content-Type', JSON_UTF8, 'Content-Length', String(body.length));
  res.writeHead(200, lista).end(body);
}

/** RFC 9110, section 13.1.2: `*`, or a list in which weakness does not matter. */
export function confere(sabidas: string, etag: string): boolean {
  if (sabidas.trim() === '*') return true;
  return sabidas.split(',').some((sabida) => sabida.trim().replace(/^W\//, '') === etag);
}
