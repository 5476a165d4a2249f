import type { ObjectSchema, Schema, TypeOf } from '../../platform/schema-type.ts';
import type { Result } from '../reply/envelope.ts';
import type { FileToSend } from '../reply/file.ts';

/** What differs between surfaces, as types: who asks, what may be asked and changed, and what errors and permissions are called. */
export interface SurfaceTypes {
  readonly session: unknown;
  readonly domain: unknown;
  readonly writes: unknown;
  readonly code: string;
  readonly permission: string;
}

type ChangingMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Schemas = Readonly<Record<string, Schema>>;

/** What a handler is given: what was sent, as the route declares it, who asks, and what may be asked. */
interface Call<T extends SurfaceTypes, Params = unknown, Query = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly session: T['session'];
  readonly domain: T['domain'];
  readonly requestId: string;
}

/** The same of a route that changes something: it runs inside the one transaction that is its write, reads included. */
interface WriteCall<T extends SurfaceTypes, Params = unknown, Query = unknown, Body = unknown> extends Call<
  T,
  Params,
  Query
> {
  readonly body: Body;
  readonly writes: T['writes'];
}

/**
 * What a route reads. `record`: one record, or a whole as small as one. `person`: what belongs to one person. `list`: a page of all that
 * a tenant has, unless one of `narrowedBy`, parameters of its query, narrows it to a person. A whole list may take as long as a program
 * waits, may come from a replica, and begins where its reader left off; all else is a look-up.
 */
export interface Reading {
  readonly kind: 'record' | 'person' | 'list';
  readonly narrowedBy: readonly string[];
}

interface RouteBase<T extends SurfaceTypes> {
  /** Below the surface's base address, with `{name}` where a parameter stands. */
  readonly path: string;
  /** The path's parameters, by name. */
  readonly params: Schemas;
  /** Null: whoever the door lets in. */
  readonly permission: T['permission'] | null;
  readonly group: string;
  readonly summary: string;
  readonly description?: string;
  readonly query: ObjectSchema | null;
  /** Codes of this route besides those that every route may answer. */
  readonly errors: readonly T['code'][];
}

interface JsonRouteBase<T extends SurfaceTypes> extends RouteBase<T> {
  /** Schema of what is answered, inside the envelope. */
  readonly data: Schema;
  readonly paged: boolean;
  readonly example: unknown;
}

export interface ReadRoute<T extends SurfaceTypes> extends JsonRouteBase<T> {
  readonly kind: 'read';
  readonly method: 'GET';
  readonly reading: Reading;
  /** Whether the answer is kept until something it was made from changes. */
  readonly kept: boolean;
  readonly run: (call: Call<T>) => Promise<Result<unknown>>;
}

export interface WriteRoute<T extends SurfaceTypes> extends JsonRouteBase<T> {
  readonly kind: 'write';
  readonly method: ChangingMethod;
  readonly body: { readonly schema: ObjectSchema; readonly required: boolean } | null;
  readonly success: 200 | 201;
  /** Whether an Idempotency-Key makes the same request sent twice be done once. */
  readonly repeatable: boolean;
  readonly run: (call: WriteCall<T>) => Promise<Result<unknown>>;
}

/** A route that answers with bytes, of which parts may be asked for. */
export interface FileRoute<T extends SurfaceTypes> extends RouteBase<T> {
  readonly kind: 'file';
  readonly method: 'GET';
  readonly open: (call: Call<T>) => Promise<FileToSend>;
}

export type JsonRoute<T extends SurfaceTypes> = ReadRoute<T> | WriteRoute<T>;

/** A route: the one text from which come what is accepted, what TypeScript knows of it, and what the OpenAPI document says. */
export type Route<T extends SurfaceTypes> = JsonRoute<T> | FileRoute<T>;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ValuesOf<Params> = { readonly [Name in keyof Params]: TypeOf<Params[Name]> };
type PropertyOf<Query extends ObjectSchema> = keyof Query['properties'] & string;

interface Definition<T extends SurfaceTypes, Path extends string, Params, Query> extends Pick<
  RouteBase<T>,
  'permission' | 'group' | 'summary' | 'description'
> {
  readonly path: Path;
  readonly params?: Params;
  readonly query?: Query;
  readonly errors?: readonly T['code'][];
}

/** A path with names must say what they are. */
type Named<Path extends string> = [NamesIn<Path>] extends [never] ? unknown : { readonly params: object };

type ReadingOf<Query extends ObjectSchema> =
  | { readonly reading: 'record'; readonly narrowedBy?: never; readonly paged?: never }
  | { readonly reading: 'person'; readonly narrowedBy?: never; readonly paged?: true }
  | { readonly reading: 'list'; readonly narrowedBy: readonly PropertyOf<Query>[]; readonly paged?: never };

interface ReadDefinition<T extends SurfaceTypes, Params, Query, Data> {
  readonly data: Data;
  readonly kept?: false;
  readonly example: unknown;
  readonly run: (call: Call<T, ValuesOf<Params>, TypeOf<Query>>) => Promise<Result<TypeOf<Data>>>;
}

interface WriteDefinition<T extends SurfaceTypes, Params, Query, Body, Data> {
  readonly body?: { readonly schema: Body; readonly required: boolean };
  readonly data: Data;
  readonly success?: 200 | 201;
  readonly repeatable?: false;
  readonly example: unknown;
  readonly run: (call: WriteCall<T, ValuesOf<Params>, TypeOf<Query>, TypeOf<Body>>) => Promise<Result<TypeOf<Data>>>;
}

interface FileDefinition<T extends SurfaceTypes, Params, Query> {
  readonly open: (call: Call<T, ValuesOf<Params>, TypeOf<Query>>) => Promise<FileToSend>;
}

/** Declares the routes of a surface; a handler's argument and answer are typed by its route's schemas. */
export function declareRoutes<T extends SurfaceTypes>() {
  const change =
    (method: ChangingMethod) =>
    <
      const Path extends string,
      const Params extends Readonly<Record<NamesIn<Path>, Schema>>,
      const Query extends ObjectSchema,
      const Body extends ObjectSchema,
      const Data extends Schema,
    >(
      definition: Definition<T, Path, Params, Query> & WriteDefinition<T, Params, Query, Body, Data> & Named<Path>,
    ): WriteRoute<T> => ({
      success: 200,
      repeatable: true,
      paged: false,
      ...definition,
      ...common<T>(definition),
      body: definition.body ?? null,
      kind: 'write',
      method,
      // The same schemas judge what was sent before it is called: that makes the narrower type true.
      run: definition.run as WriteRoute<T>['run'],
    });

  return {
    get: <
      const Path extends string,
      const Params extends Readonly<Record<NamesIn<Path>, Schema>>,
      const Query extends ObjectSchema,
      const Data extends Schema,
    >(
      definition: Definition<T, Path, Params, Query> &
        ReadDefinition<T, Params, Query, Data> &
        Named<Path> &
        ReadingOf<NoInfer<Query>>,
    ): ReadRoute<T> => ({
      kept: true,
      ...definition,
      ...common<T>(definition),
      reading: { kind: definition.reading, narrowedBy: definition.narrowedBy ?? [] },
      paged: definition.reading === 'list' || definition.paged === true,
      kind: 'read',
      method: 'GET',
      run: definition.run as ReadRoute<T>['run'],
    }),

    post: change('POST'),
    put: change('PUT'),
    patch: change('PATCH'),
    delete: change('DELETE'),

    file: <
      const Path extends string,
      const Params extends Readonly<Record<NamesIn<Path>, Schema>>,
      const Query extends ObjectSchema,
    >(
      definition: Definition<T, Path, Params, Query> & FileDefinition<T, Params, Query> & Named<Path>,
    ): FileRoute<T> => ({
      ...definition,
      ...common<T>(definition),
      kind: 'file',
      method: 'GET',
      open: definition.open as FileRoute<T>['open'],
    }),
  };
}

function common<T extends SurfaceTypes>({
  path,
  params = {},
  query = null,
  errors = [],
}: {
  readonly path: string;
  readonly params?: Schemas | undefined;
  readonly query?: ObjectSchema | null | undefined;
  readonly errors?: readonly T['code'][] | undefined;
}): Pick<RouteBase<T>, 'params' | 'query' | 'errors'> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  if (names.join() !== Object.keys(params).join()) throw new Error(`${path}: its parameters are not those it declares`);
  return { params, query, errors };
}
