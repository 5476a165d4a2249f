import type { Place } from '../../platform/paging/page-marks.ts';
import type { ObjectSchema, Schema, TypeOf } from '../../platform/schema-type.ts';
import type { Result } from '../reply/envelope.ts';
import type { Fault } from '../reply/failure.ts';
import type { FileToSend } from '../reply/file.ts';

/**
 * The types that differ between surfaces: the session, what can be read and written, the error codes and the
 * permissions.
 */
export interface SurfaceTypes {
  readonly session: unknown;
  readonly domain: unknown;
  readonly writes: unknown;
  readonly code: string;
  /** What a route asks of its callers. */
  readonly permission: string | object;
  /** What routes call that write by themselves; of surfaces that have such routes. */
  readonly services?: unknown;
}

type ChangingMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Schemas = Readonly<Record<string, Schema>>;

/** What a handler is given: the checked input, the session of the caller, and the domain that it may read. */
interface Call<T extends SurfaceTypes, Params = unknown, Query = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly session: T['session'];
  readonly domain: T['domain'];
  readonly requestId: string;
}

/** What the handler of a reading route is given. */
interface ReadCall<T extends SurfaceTypes, Params = unknown, Query = unknown> extends Call<T, Params, Query> {
  /** Where the cursor of the request stands in the list; null for the beginning. */
  readonly after: Place | null;
}

/** What the handler of a changing route is given. It runs, reads included, inside the one transaction of its write. */
interface WriteCall<T extends SurfaceTypes, Params = unknown, Query = unknown, Body = unknown> extends Call<
  T,
  Params,
  Query
> {
  readonly body: Body;
  readonly writes: T['writes'];
  /**
   * Ends the request when it carries If-Match, and what `read` reads, as a GET would answer it now, has another ETag
   * (RFC 9110, section 13.1.1). Without the header nothing is read. Of routes that are `guarded`. @throws Failure
   */
  readonly requireMatch: (read: () => Promise<unknown>) => Promise<void>;
}

/** What the handler of a route is given whose services write by themselves. It runs inside no write. */
interface ActCall<T extends SurfaceTypes, Params = unknown, Query = unknown, Body = unknown> extends Omit<
  Call<T, Params, Query>,
  'domain'
> {
  readonly body: Body;
  readonly services: T['services'];
}

/**
 * What a route reads:
 * - `record`: one record, or something as small as one;
 * - `person`: what belongs to one person;
 * - `list`: a page of everything that a tenant has, unless a query parameter in `narrowedBy` narrows it to one person.
 *
 * A whole list gets the long deadline of programs, may be read on a replica, and goes on where its reader stopped. All
 * other readings are look-ups, with the short deadline of a person who waits.
 */
export interface Reading {
  readonly kind: 'record' | 'person' | 'list';
  readonly narrowedBy: readonly string[];
}

interface RouteBase<T extends SurfaceTypes> {
  /** The path below the surface's base address, with `{name}` for each parameter. */
  readonly path: string;
  /** Schemas of the path's parameters, by name. */
  readonly params: Schemas;
  /** Null when every admitted caller may use the route. */
  readonly permission: T['permission'] | null;
  /** Whether the route takes no credential: whoever calls it is a visitor of the door. */
  readonly anonymous: boolean;
  readonly group: string;
  readonly summary: string;
  readonly description?: string;
  readonly query: ObjectSchema | null;
  /** Error codes of this route, in addition to those that every route may answer. */
  readonly errors: readonly T['code'][];
}

interface JsonRouteBase<T extends SurfaceTypes> extends RouteBase<T> {
  /** Schema of the answer's data, inside the envelope. */
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
  /** Whether the list is read by cursors, which go on where the part before ended. Its query then has `cursor`. */
  readonly cursor: boolean;
  readonly run: (call: ReadCall<T>) => Promise<Result<unknown>>;
}

/**
 * What a route takes as its body. `judge` names what is wrong besides what the schema can say, of fields of which the
 * schema says nothing; it is given whatever was sent.
 */
interface BodyOf<T extends SurfaceTypes, Body> {
  readonly schema: Body;
  readonly required: boolean;
  readonly judge?: (body: unknown, session: T['session']) => readonly Fault<T['code']>[];
}

interface ChangeRouteBase<T extends SurfaceTypes> extends JsonRouteBase<T> {
  readonly kind: 'write';
  readonly method: ChangingMethod;
  readonly body: BodyOf<T, ObjectSchema> | null;
  readonly success: 200 | 201 | 202;
  /** The address of what was created, out of the text of the answer. */
  readonly location: ((answer: string) => string) | null;
  /** Whether the route takes If-Match. */
  readonly guarded: boolean;
  /** Whether the route takes an Idempotency-Key, so that a request that is sent twice is carried out once. */
  readonly repeatable: boolean;
}

/** A route that changes something inside the one write that the kit begins for it. */
interface InWriteRoute<T extends SurfaceTypes> extends ChangeRouteBase<T> {
  readonly acts: false;
  readonly run: (call: WriteCall<T>) => Promise<Result<unknown>>;
}

/** A route whose services write by themselves, such as one that compares a password before it writes. */
interface ActRoute<T extends SurfaceTypes> extends ChangeRouteBase<T> {
  readonly acts: true;
  readonly run: (call: ActCall<T>) => Promise<Result<unknown>>;
  /** What is answered, as a success, to a caller whom the door refuses with this code; null: he is refused. */
  readonly excused: { readonly code: T['code']; readonly data: unknown } | null;
}

export type WriteRoute<T extends SurfaceTypes> = InWriteRoute<T> | ActRoute<T>;

/** A route that answers with a file, whole or in parts (Range). */
export interface FileRoute<T extends SurfaceTypes> extends RouteBase<T> {
  readonly kind: 'file';
  readonly method: 'GET';
  readonly open: (call: Call<T>) => Promise<FileToSend>;
}

export type JsonRoute<T extends SurfaceTypes> = ReadRoute<T> | WriteRoute<T>;

/** A route. Its declaration is the only source of its validation, its TypeScript types and its OpenAPI description. */
export type Route<T extends SurfaceTypes> = JsonRoute<T> | FileRoute<T>;

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
  readonly example: unknown;
  readonly run: (call: ReadCall<T, ValuesOf<Params>, TypeOf<Query>>) => Promise<Result<TypeOf<Data>>>;
}

interface WriteDefinition<T extends SurfaceTypes, Params, Query, Body, Data> {
  readonly body?: BodyOf<T, Body>;
  readonly data: Data;
  readonly success?: 200 | 201;
  readonly location?: (answer: string) => string;
  readonly guarded?: true;
  readonly repeatable?: false;
  readonly example: unknown;
  readonly run: (call: WriteCall<T, ValuesOf<Params>, TypeOf<Query>, TypeOf<Body>>) => Promise<Result<TypeOf<Data>>>;
}

interface ActDefinition<T extends SurfaceTypes, Params, Query, Body, Data> {
  readonly body?: BodyOf<T, Body>;
  readonly data: Data;
  readonly success?: 200 | 202;
  readonly excused?: { readonly code: T['code']; readonly data: TypeOf<Data> };
  readonly example: unknown;
  readonly run: (call: ActCall<T, ValuesOf<Params>, TypeOf<Query>, TypeOf<Body>>) => Promise<Result<TypeOf<Data>>>;
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
    ): InWriteRoute<T> => ({
      acts: false,
      success: 200,
      // Answers are kept for whoever has a credential.
      repeatable: definition.anonymous !== true,
      paged: false,
      location: null,
      guarded: false,
      ...definition,
      ...common<T>(definition),
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
      // Answers are kept in the write that they tell of, and that is not the kit's here.
      repeatable: false,
      paged: false,
      location: null,
      guarded: false,
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
