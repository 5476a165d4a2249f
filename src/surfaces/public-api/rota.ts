import type { Permissao } from '../../domain/chaves/chaves.types.ts';
import type { Dominio, Escritas } from '../../domain/dominio.ts';
import type { Page, PageRequest } from '../../platform/paging/pages.ts';
import type { ObjectSchema, Schema, TypeOf } from '../../platform/schema-type.ts';
import type { ArquivoParaEnviar } from './arquivo.ts';
import type { CodigoErro } from './erros.ts';
import type { Sessao } from './porta.ts';

type Metodo = 'GET' | 'POST' | 'PATCH';

/** A route of any method but GET runs inside the one transaction that is its write, reads included. */
interface Pedido<Consulta, Corpo, M extends Metodo = Metodo> {
  /** The path's id; 0 where the path has none. */
  readonly id: number;
  readonly consulta: Consulta;
  readonly corpo: Corpo;
  readonly sessao: Sessao;
  readonly dominio: Dominio;
  readonly escritas: M extends 'GET' ? null : Escritas;
}

/**
 * A route: the one text from which come what is accepted, what TypeScript knows of it, and what the OpenAPI document says.
 */
export interface Rota {
  readonly metodo: Metodo;
  /** Below the base address, with `{id}` where the id stands. */
  readonly caminho: string;
  /** Null: any valid key will do. */
  readonly permissao: Permissao | null;
  readonly grupo: string;
  readonly resumo: string;
  readonly descricao?: string;
  readonly consulta: ObjectSchema | null;
  readonly corpo: { readonly esquema: ObjectSchema; readonly obrigatorio: boolean } | null;
  /** Schema of `dados`. */
  readonly dados: Schema;
  /** The answer is not kept: it is about the key itself, or of what changes without a word. */
  readonly daChave: boolean;
  /** `paginada` adds `paginacao` to the answer. */
  readonly paginada: boolean;
  readonly sucesso: 200 | 201;
  /** Codes of this route besides those that every route may answer. */
  readonly erros: readonly CodigoErro[];
  readonly exemplo: unknown;
  readonly executar: (pedido: Pedido<unknown, unknown>) => Promise<Resultado<unknown>>;
  /** Of a route that answers with a file, and not with `dados`; null of the others. */
  readonly abrir: ((pedido: PedidoDeArquivo) => Promise<ArquivoParaEnviar>) | null;
}

interface PedidoDeArquivo {
  readonly id: number;
  /** The name in the path, which may be any text. */
  readonly arquivo: string;
  readonly dominio: Dominio;
}

export interface Resultado<Dados> {
  readonly dados: Dados;
  readonly paginacao?: Paginacao;
}

interface Paginacao {
  readonly pagina: number;
  readonly por_pagina: number;
  readonly total: number;
  readonly total_paginas: number;
}

interface Definicao<
  M extends Metodo,
  Consulta extends ObjectSchema,
  Corpo extends ObjectSchema,
  Dados extends Schema,
> extends Pick<Rota, 'caminho' | 'permissao' | 'grupo' | 'resumo' | 'descricao' | 'exemplo'> {
  readonly metodo: M;
  readonly consulta?: Consulta;
  readonly corpo?: { readonly esquema: Corpo; readonly obrigatorio: boolean };
  readonly dados: Dados;
  readonly daChave?: boolean;
  readonly paginada?: boolean;
  readonly sucesso?: 200 | 201;
  readonly erros?: readonly CodigoErro[];
  readonly executar: (pedido: Pedido<TypeOf<Consulta>, TypeOf<Corpo>, M>) => Promise<Resultado<TypeOf<Dados>>>;
}

/** Declares a route; the handler's argument and answer are typed by its schemas. */
export function rota<
  const M extends Metodo,
  const Consulta extends ObjectSchema,
  const Corpo extends ObjectSchema,
  const Dados extends Schema,
>(definicao: Definicao<M, Consulta, Corpo, Dados>): Rota {
  return {
    daChave: false,
    paginada: false,
    sucesso: 200,
    erros: [],
    abrir: null,
    ...definicao,
    consulta: definicao.consulta ?? null,
    corpo: definicao.corpo ?? null,
    // The guard validates by the same schemas before it calls, and the router opens a write for all but GET: that makes
    // the narrower type true.
    executar: definicao.executar as Rota['executar'],
  };
}

interface DefinicaoDeArquivo extends Pick<Rota, 'caminho' | 'permissao' | 'grupo' | 'resumo' | 'descricao' | 'erros'> {
  readonly abrir: (pedido: PedidoDeArquivo) => Promise<ArquivoParaEnviar>;
}

/** Declares a route that answers with a file: the path ends in `{arquivo}`, and parts of it may be asked for. */
export function rotaDeArquivo(definicao: DefinicaoDeArquivo): Rota {
  return {
    metodo: 'GET',
    consulta: null,
    corpo: null,
    dados: { type: 'string', description: 'Bytes do arquivo.' },
    daChave: false,
    paginada: false,
    sucesso: 200,
    exemplo: 'PAR1…',
    executar: () => Promise.reject(new Error('a file has no dados')),
    ...definicao,
    erros: [...definicao.erros, 'intervalo_invalido'],
  };
}

/** The page a list was asked for, out of its validated query. */
export function paginaPedida(consulta: { pagina: number; por_pagina: number }): PageRequest {
  return { pagina: consulta.pagina, porPagina: consulta.por_pagina };
}

/** An instant out of a validated query. */
export function instanteDe(texto: string | undefined): Date | undefined {
  return texto === undefined ? undefined : new Date(texto);
}

/** A page of the domain as the answer of a list route. */
export function comPaginacao<T, Dados>(
  { itens, total }: Page<T>,
  { pagina, porPagina }: PageRequest,
  apresentar: (item: T) => Dados,
): Resultado<Dados[]> {
  const paginacao = { pagina, por_pagina: porPagina, total, total_paginas: Math.ceil(total / porPagina) };
  return { dados: itens.map(apresentar), paginacao };
}
