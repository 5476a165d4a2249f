import type { Context } from 'koa';
import { opcional } from '../../domain/campos/campos.ts';
import { texto } from '../../domain/campos/leitores.ts';
import { isHttps, requestHost, sourceIp } from '../../platform/http/request.ts';
import { BASE } from './ativos/ativos.ts';

/** What a request says of itself, besides its session. */
export interface Pedido {
  readonly ctx: Context;
  readonly requestId: string;
  readonly https: boolean;
  readonly ip: string;
  /** In lower case and without port. */
  readonly host: string;
  /** Scheme, host and port, as the browser has them. */
  readonly origem: string;
  /** Path below `/painel`, without the query. */
  readonly caminho: string;
  /** The same with its query. */
  readonly endereco: string;
  /** Whether htmx asks, which takes a part of a page. */
  readonly porHtmx: boolean;
  /** The id of the part that htmx will replace; empty when it is none. */
  readonly parte: string;
}

export function lerPedido(ctx: Context, requestId: string, proxies: number): Pedido {
  const https = isHttps(ctx.req, proxies);
  const { querystring } = ctx;
  const caminho = ctx.path.slice(BASE.length);
  return {
    ctx,
    requestId,
    https,
    ip: sourceIp(ctx.req, proxies),
    host: requestHost(ctx.req),
    origem: `${https ? 'https' : 'http'}://${ctx.req.headers.host ?? ''}`,
    caminho,
    endereco: querystring === '' ? caminho : `${caminho}?${querystring}`,
    porHtmx: ctx.get('HX-Request') === 'true',
    parte: ctx.get('HX-Target').split('#')[1] ?? '',
  };
}

/**
 * Whether a change comes from a page of this host. Browsers that do not say from what kind of site a request comes say from which;
 * what says neither is no browser that has a session here.
 */
export function vemDaqui({ ctx, origem }: Pedido): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '') return site === 'same-origin';
  return ctx.get('Origin') === origem;
}

/** Letters of the longest address that is come back to. */
const MAIOR_VOLTA = 500;

/** The parameter by which pages on the way in are told where to go on afterwards; see `voltaSegura`. */
export const CONSULTA_DA_VOLTA = { volta: opcional(texto(1, MAIOR_VOLTA)) };

/** An address of the panel to go on to, as somebody asked for it; the first page when it is none, or is too long to be carried. */
export function voltaSegura(endereco: string): string {
  if (endereco.length > MAIOR_VOLTA || !/^\/(?!\/)[\w/.?=&%+:~-]*$/.test(endereco)) return '';
  // Browsers resolve dot segments, escaped ones too, before they ask.
  const { pathname } = new URL(`${BASE}${endereco}`, 'http://painel');
  return pathname.startsWith(`${BASE}/`) && !pathname.includes('//') ? endereco : '';
}

/** The page of the panel from which somebody came, as he left it; empty where the browser does not say, or it is this one. */
export function deOndeVeio({ ctx, origem, endereco }: Pedido): string {
  const dito = ctx.get('Referer');
  if (!dito.startsWith(`${origem}${BASE}`) || !URL.canParse(dito)) return '';
  const { pathname, searchParams } = new URL(dito);
  // What was done then is not said again.
  searchParams.delete('feito');
  const consulta = searchParams.size === 0 ? '' : `?${searchParams.toString()}`;
  const volta = voltaSegura(`${pathname.slice(BASE.length)}${consulta}`);
  return volta === endereco ? '' : volta;
}

/**
 * A link to this provider's pages, as whoever is shown it can open it: on a `*.localhost` host, as where Malha is developed or
 * demonstrated, over plain http and at the port that the browser asked; on any other it stays as it is.
 */
export function daqui(link: string, origem: string): string {
  const { protocol, hostname } = new URL(origem);
  if (protocol !== 'http:' || !LOCAL.test(hostname)) return link;
  const { pathname, search } = new URL(link);
  return `${origem}${pathname}${search}`;
}

const LOCAL = /(?:^|\.)localhost$/;

/** Whether browsers take the origin for one that nobody can pretend to be; elsewhere they refuse some headers, and say so. */
export const eConfiavel = ({ https, host }: Pedido): boolean => https || LOCAL.test(host);
