import type { AppSurface } from '../../access/app-ports.ts';
import { declareRoutes } from '../../kit/http/declare.ts';
import type { Route } from '../../kit/http/route.ts';
import type { Result } from '../../kit/reply/envelope.ts';
import type { Slice } from '../../platform/paging/pages.ts';
import type { CodigoErro } from './erros.ts';

/** Base address of the surface on every host. */
export const BASE = '/v1';

export interface DoApp extends AppSurface {
  readonly code: CodigoErro;
}

export type Rota = Route<DoApp>;

/** Declares a route of `/v1`. */
export const rota = declareRoutes<DoApp>();

/** Query parameters of every list. */
export const cursorNaConsulta = {
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'Itens por resposta.',
    examples: [20],
  },
  cursor: {
    type: 'string',
    minLength: 1,
    description: 'next_cursor da resposta anterior, com os mesmos filtros; vale uma hora.',
    examples: ['AbCdEf0123456789'],
  },
} as const;

/** A part of a list of the domain as the answer of a list route. */
export function comCursor<T, Dados>(
  { itens, total, next }: Slice<T>,
  limit: number,
  apresentar: (item: T) => Dados,
): Result<Dados[]> {
  return { data: itens.map(apresentar), slice: { limit, total, next } };
}

/** The address of what a POST created, out of the text of its answer. */
export const enderecoDoCriado =
  (caminho: string) =>
  (resposta: string): string =>
    `${BASE}${caminho}/${(JSON.parse(resposta) as { readonly data: { readonly id: number } }).data.id}`;
