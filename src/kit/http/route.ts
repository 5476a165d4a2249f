import type { Place } from '../../platform/paging/page-marks.ts';
import type { ObjectSchema, Schema } from '../../platform/schema-type.ts';
import type { Result } from '../reply/envelope.ts';
import type { Fault } from '../reply/failure.ts';
import type { FileToMake, FileToSend } from '../reply/file.ts';

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

export type ChangingMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Schemas = Readonly<Record<string, Schema>>;

/** What a handler is given: the checked input, the session of the caller, and the domain that it may read. */
export interface Call<T extends SurfaceTypes, Params = unknown, Query = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly session: T['session'];
  readonly domain: T['domain'];
  readonly requestId: string;
}

/** What the handler of a reading route is given. */
export interface ReadCall<T extends SurfaceTypes, Params = unknown, Query = unknown> extends Call<T, Params, Query> {
  readonly services: T['services'];
  /** Where the cursor of the request stands in the list; null for the beginning. */
  readonly after: Place | null;
}

/** What the handler of a changing route is given. It runs, reads included, inside the one transaction of its write. */
export interface WriteCall<T extends SurfaceTypes, Params = unknown, Query = unknown, Body = unknown> extends Call<
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
export interface ActCall<T extends SurfaceTypes, Params = unknown, Query = unknown, Body = unknown> extends Omit<
  Call<T, Params, Query>,
  'domain'
> {
  readonly body: Body;
  readonly services: T['services'];
}

/** What comes before a write is given: what it reads is read before the write begins. */
export interface BeforeCall<T extends SurfaceTypes, Params = unknown, Query = unknown, Body = unknown> extends ActCall<
  T,
  Params,
  Query,
  Body
> {
  readonly read: <Value>(work: (domain: T['domain']) => Promise<Value>) => Promise<Value>;
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

export interface RouteBase<T extends SurfaceTypes> {
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
  /** Whether it names everything that there is of a kind: it is for no caller who is restricted. */
  readonly bulk: boolean;
  readonly run: (call: ReadCall<T>) => Promise<Result<unknown>>;
}

/**
 * What a route takes as its body. `judge` names what is wrong besides what the schema can say, of fields of which the
 * schema says nothing; it is given whatever was sent.
 */
export interface BodyOf<T extends SurfaceTypes, Body> {
  readonly schema: Body;
  readonly required: boolean;
  readonly judge?: (body: unknown, session: T['session']) => readonly Fault<T['code']>[];
}

interface ChangeRouteBase<T extends SurfaceTypes> extends JsonRouteBase<T> {
  readonly kind: 'write';
  readonly method: ChangingMethod;
  readonly body: BodyOf<T, ObjectSchema> | null;
  readonly success: 200 | 201 | 202;
  /** Whether the route answers 200 where what it would create was there already. */
  readonly mayExist: boolean;
  /** The address of what was created, out of the text of the answer. */
  readonly location: ((answer: string) => string) | null;
  /** Whether the route takes If-Match. */
  readonly guarded: boolean;
  /** Whether the route takes an Idempotency-Key, so that a request that is sent twice is carried out once. */
  readonly repeatable: boolean;
  /** Whether the answer holds a secret that stands nowhere else. */
  readonly secret: boolean;
}

/** A route that changes something inside the one write that the kit begins for it. */
export interface InWriteRoute<T extends SurfaceTypes> extends ChangeRouteBase<T> {
  readonly acts: false;
  /** What comes before the write begins, such as comparing a password, which takes long; what it throws is the answer. */
  readonly before: ((call: BeforeCall<T>) => Promise<void>) | null;
  readonly run: (call: WriteCall<T>) => Promise<Result<unknown>>;
}

/** A route whose services write by themselves, such as one that compares a password before it writes. */
export interface ActRoute<T extends SurfaceTypes> extends ChangeRouteBase<T> {
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
  /** The media types that its files may have. */
  readonly types: readonly string[];
  readonly open: (call: Call<T>) => Promise<FileToSend | FileToMake>;
}

export type JsonRoute<T extends SurfaceTypes> = ReadRoute<T> | WriteRoute<T>;

/** A route. Its declaration is the only source of its validation, its TypeScript types and its OpenAPI description. */
export type Route<T extends SurfaceTypes> = JsonRoute<T> | FileRoute<T>;
