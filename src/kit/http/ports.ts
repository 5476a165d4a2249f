import type { Moment } from '../../platform/gate/moment.ts';
import type { ResponseCache } from '../../platform/cache/response-cache.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { Body, Input } from '../input/input.ts';
import type { Envelope } from '../reply/envelope.ts';
import type { Failure, Faults } from '../reply/failure.ts';
import type { FileToSend } from '../reply/file.ts';
import type { Ready } from '../reply/reply.ts';
import type { Cursors } from './cursors.ts';
import type { People } from './restriction.ts';
import type { Rights } from '../rights/rights.ts';
import type { Route, SurfaceTypes } from './route.ts';

/** The answer to a write. It is kept, so that the same request sent again gets the same answer. */
export interface Written {
  readonly status: number;
  readonly body: string;
}

/** What identifies a repeated request: its Idempotency-Key, and a text that is equal for equal requests. */
export interface Repetition {
  readonly mark: string;
  readonly request: string;
  /** Whether the answer holds a secret, and must not be kept as it is. */
  readonly secret: boolean;
}

/** Where answers are kept, and to whom they belong. */
interface Keeping<T extends SurfaceTypes> {
  readonly cache: ResponseCache<Route<T>>;
  readonly ownerOf: (session: T['session']) => { readonly tenantId: number; readonly reader: string };
  /** Tags that every answer depends on. */
  readonly implied: readonly string[];
  /** Whether each reader has answers of its own, and not only where it reads whole lists. */
  readonly apart?: true;
}

/** How a surface reaches the domain, which the kit itself does not know. */
export interface Ports<T extends SurfaceTypes> {
  /**
   * Runs a read, and records on the trail what the answer depends on. `whole` means a list that nothing narrows. The
   * work may run twice; then the last result is used.
   */
  readonly read: <Value>(
    session: T['session'],
    trail: Trail,
    whole: boolean,
    work: (domain: T['domain']) => Promise<Value>,
  ) => Promise<Value>;
  /**
   * Runs what a request changes as one write, under its Idempotency-Key where it has one. The work may run several
   * times; only the last run takes effect.
   */
  readonly write: (
    session: T['session'],
    repetition: Repetition | null,
    work: (domain: T['domain'], writes: T['writes']) => Promise<Written>,
  ) => Promise<Written>;
  /** The same for routes whose services write by themselves; of surfaces that have such routes. */
  readonly once?: (session: T['session'], repetition: Repetition, work: () => Promise<Written>) => Promise<Written>;
  readonly may: (session: T['session'], permission: T['permission']) => boolean;
  /** A permission as callers know it; without it, as it is declared. */
  readonly nameOf?: (permission: T['permission']) => string;
  readonly rightsOf: (session: T['session']) => Rights;
  /** Of surfaces whose callers may be restricted. */
  readonly people?: People<T>;
  /** Why a caller may not use a route; without it, the permission is named. */
  readonly lacking?: (session: T['session'], permission: T['permission']) => Failure<T['code']>;
  /** Null when the surface keeps no answers. */
  readonly keeping: Keeping<T> | null;
  /** Of surfaces with routes whose services write by themselves. */
  readonly services?: T['services'];
}

export interface HandlerDeps<T extends SurfaceTypes> {
  readonly ports: Ports<T>;
  readonly input: Input;
  readonly envelope: Pick<Envelope, 'success'>;
  readonly faults: Faults<T['code']>;
  /** Of surfaces with lists that are read by cursors. */
  readonly cursors?: Cursors<T>;
}

/** What is known about a request that the door has admitted. */
export interface Arrival<T extends SurfaceTypes> {
  readonly session: T['session'];
  /** The gate's moment for this request, taken before anything was read; null when Redis did not answer. */
  readonly since: Moment | null;
  readonly requestId: string;
  /** The path's parameters, as they were sent. */
  readonly params: Readonly<Record<string, string>>;
  /** The URL's query, as it was sent, without `?`. */
  readonly query: string;
}

/** All that a route is asked with, whether its request came by HTTP or in another way. */
export interface Asked<T extends SurfaceTypes> extends Arrival<T> {
  /** Path and query, as they name the answer in the cache. */
  readonly url: string;
  readonly path: string;
  readonly body: Body;
  /** The Idempotency-Key, if there is one. */
  readonly mark: string | undefined;
  /** If-Match, if it was sent. */
  readonly ifMatch: string | undefined;
}

/** What a route answers. */
export type Answered =
  | { readonly kind: 'read'; readonly ready: Ready }
  | (Written & { readonly kind: 'written'; readonly location: string | null })
  | { readonly kind: 'file'; readonly file: FileToSend };
