import type { KeySurface } from '../../access/ports.ts';
import type { Result } from '../../kit/reply/envelope.ts';
import { declareRoutes } from '../../kit/http/declare.ts';
import type { Route } from '../../kit/http/route.ts';
import type { Page, PageRequest } from '../../platform/paging/pages.ts';
import type { CodigoErro } from './erros.ts';

export interface DaApi extends KeySurface {
  readonly code: CodigoErro;
}

export type Rota = Route<DaApi>;

/** Declares a route of the public API. */
export const rota = declareRoutes<DaApi>();

/** The page a list was asked for, out of its validated query. */
export function paginaPedida(query: { pagina: number; por_pagina: number }): PageRequest {
  return { pagina: query.pagina, porPagina: query.por_pagina };
}

/** A page of the domain as the answer of a list route. */
export function comPaginacao<T, Dados>(
  { itens, total }: Page<T>,
  { pagina, porPagina }: PageRequest,
  apresentar: (item: T) => Dados,
): Result<Dados[]> {
  return { data: itens.map(apresentar), page: { number: pagina, size: porPagina, total } };
}
