import type { ObjectSchema, Schema, TypeOf } from '../../platform/schema-type.ts';
import type { Result } from '../reply/envelope.ts';
import type { FileToMake, FileToSend } from '../reply/file.ts';
import type {
  ActCall,
  BeforeCall,
  ActRoute,
  BodyOf,
  Call,
  ChangingMethod,
  FileRoute,
  InWriteRoute,
  ReadCall,
  ReadRoute,
  RouteBase,
  Schemas,
  SurfaceTypes,
  WriteCall,
} from './route.ts';

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ValuesOf<Params> = { readonly [Name in keyof Params]: TypeOf<Params[Name]> };
type PropertyOf<Query extends ObjectSchema> = keyof Query['properties'] & string;

interface Definition<T extends SurfaceTypes, Path extends string, Params, Query> extends Pick<
  RouteBase<T>,
  'permission' | 'group' | 'summary' | 'description'
> {
  readonly path: Path;
  readonly anonymous?: true;
  readonly params?: Params;
  readonly query?: Query;
  readonly errors?: readonly T['code'][];
}

/** A path with parameters requires `params`, which gives their schemas. */
type Named<Path extends string> = [NamesIn<Path>] extends [never] ? unknown : { readonly params: object };

type ReadingOf<Query extends ObjectSchema> =
  | { readonly reading: 'record'; readonly narrowedBy?: never; readonly paged?: never }
  | { readonly reading: 'person'; readonly narrowedBy?: never; readonly paged?: true }
  | { readonly reading: 'list'; readonly narrowedBy: readonly PropertyOf<Query>[]; readonly paged?: never };

interface ReadDefinition<T extends SurfaceTypes, Params, Query, Data> {
  readonly data: Data;
  readonly kept?: false;
  readonly cursor?: true;
  readonly bulk?: true;
  readonly example: unknown;
  readonly run: (call: ReadCall<T, ValuesOf<Params>, TypeOf<Query>>) => Promise<Result<TypeOf<Data>>>;
}

interface WriteDefinition<T extends SurfaceTypes, Params, Query, Body, Data> {
  readonly body?: BodyOf<T, Body>;
  readonly data: Data;
  readonly success?: 200 | 201 | 202;
  readonly mayExist?: true;
  readonly location?: (answer: string) => string;
  readonly guarded?: true;
  readonly repeatable?: false;
  readonly secret?: true;
  readonly before?: (call: BeforeCall<T, ValuesOf<Params>, TypeOf<Query>, TypeOf<Body>>) => Promise<void>;
  readonly example: unknown;
  readonly run: (call: WriteCall<T, ValuesOf<Params>, TypeOf<Query>, TypeOf<Body>>) => Promise<Result<TypeOf<Data>>>;
}

interface ActDefinition<T extends SurfaceTypes, Params, Query, Body, Data> {
  readonly body?: BodyOf<T, Body>;
  readonly data: Data;
  readonly success?: 200 | 201 | 202;
  readonly secret?: true;
  readonly excused?: { readonly code: T['code']; readonly data: TypeOf<Data> };
  readonly example: unknown;
  readonly run: (call: ActCall<T, ValuesOf<Params>, TypeOf<Query>, TypeOf<Body>>) => Promise<Result<TypeOf<Data>>>;
}

interface FileDefinition<T extends SurfaceTypes, Params, Query> {
  readonly types?: readonly string[];
  readonly open: (call: Call<T, ValuesOf<Params>, TypeOf<Query>>) => Promise<FileToSend | FileToMake>;
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
    ): InWriteRoute<T> => ({
      acts: false,
      success: 200,
      // Answers are kept for whoever has a credential.
      repeatable: definition.anonymous !== true,
      paged: false,
      mayExist: false,
      location: null,
      guarded: false,
      secret: false,
      ...definition,
      ...common<T>(definition),
      before: (definition.before as InWriteRoute<T>['before'] | undefined) ?? null,
      body: definition.body ?? null,
      kind: 'write',
      method,
      // The input is checked by the same schemas before `run` is called, so the narrower type is true.
      run: definition.run as InWriteRoute<T>['run'],
    });

  const act =
    (method: ChangingMethod) =>
    <
      const Path extends string,
      const Params extends Readonly<Record<NamesIn<Path>, Schema>>,
      const Query extends ObjectSchema,
      const Body extends ObjectSchema,
      const Data extends Schema,
    >(
      definition: Definition<T, Path, Params, Query> & ActDefinition<T, Params, Query, Body, Data> & Named<Path>,
    ): ActRoute<T> => ({
      acts: true,
      success: 200,
      repeatable: definition.anonymous !== true,
      paged: false,
      mayExist: false,
      location: null,
      guarded: false,
      secret: false,
      ...definition,
      ...common<T>(definition),
      excused: definition.excused ?? null,
      body: definition.body ?? null,
      kind: 'write',
      method,
      run: definition.run as ActRoute<T>['run'],
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
      cursor: false,
      bulk: false,
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

    /** Routes whose services write by themselves. */
    act: { post: act('POST'), put: act('PUT'), delete: act('DELETE') },

    file: <
      const Path extends string,
      const Params extends Readonly<Record<NamesIn<Path>, Schema>>,
      const Query extends ObjectSchema,
    >(
      definition: Definition<T, Path, Params, Query> & FileDefinition<T, Params, Query> & Named<Path>,
    ): FileRoute<T> => ({
      types: ['application/octet-stream'],
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
  anonymous = false,
}: {
  readonly path: string;
  readonly anonymous?: boolean | undefined;
  readonly params?: Schemas | undefined;
  readonly query?: ObjectSchema | null | undefined;
  readonly errors?: readonly T['code'][] | undefined;
}): Pick<RouteBase<T>, 'params' | 'query' | 'errors' | 'anonymous'> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  if (names.join() !== Object.keys(params).join()) throw new Error(`${path}: its parameters are not those it declares`);
  return { params, query, errors, anonymous };
}
