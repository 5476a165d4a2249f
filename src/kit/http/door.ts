import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { TagState as GateReading } from '../../platform/gate/moment.ts';
import type { Provenance } from '../../platform/cache/trail.ts';
import type { Looked } from '../../platform/gate/scripts.ts';
import { Failure, toldOf } from '../reply/failure.ts';
import type { Errors, Told } from '../reply/failure.ts';
import { limitHeaders } from '../reply/reply.ts';
import type { Limit } from '../reply/reply.ts';
import type { Rights } from '../rights/rights.ts';

/** The outcome of counting a request in the window of its network. */
export interface Counted {
  readonly limit: Limit;
  /** True when the request is past the limit and has to be refused. */
  readonly exceeded: boolean;
}

/**
 * The outcome of a request at the door: admitted with a session, or refused with a code. The tag state begins with the
 * tags that were asked for, in their order; it is null when Redis did not answer.
 */
export type Entry<Session, Code> =
  | {
      readonly admitted: true;
      readonly limit: Limit;
      readonly session: Session;
      readonly tagState: GateReading | null;
      /** What came of counting what was kept for the request; null when nothing was, or its reader's looks are not counted. */
      readonly looked: Looked | null;
    }
  | { readonly admitted: false; readonly limit: Limit; readonly refusal: Code };

/**
 * What is kept for a request: the round trip at the door reads its tags as well. It is called once the credential's tenant is known;
 * `rights` are null while its record is not.
 */
type KeptFor = (
  tenantId: number,
  reader: string,
  rights: Rights | null,
) => Pick<Provenance, 'tags' | 'about'> | undefined;

/** Decides whether a request may go on, and counts it. */
export interface Door<Session, Code> {
  /** Counts the request exactly once, in the window of its credential or in the window of its network. */
  readonly enter: (request: IncomingMessage, ip: string, keptFor: KeptFor) => Promise<Entry<Session, Code>>;
  /** Admits a request to a route that takes no credential, and counts it for its network. Of surfaces with such routes. */
  readonly visit?: (request: IncomingMessage, ip: string) => Promise<Entry<Session, Code>>;
  /** Counts a request that no credential answers for. */
  readonly countNetwork: (ip: string) => Promise<Counted>;
}

/** The refusal of whoever is past a limit. */
export const limited = <Code extends string>(code: Code, { resetSeconds }: Limit): Failure<Code> =>
  new Failure(code, '', { 'Retry-After': String(resetSeconds) });

/** The refusal of whoever would find out too much. */
export const tooCurious = <Code extends string>(code: Code, { waitMs }: Looked): Failure<Code> =>
  new Failure(code, '', { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) });

/** The refusal of a request whose network is past its limit; null when it is not. */
export const overLimit = <Code extends string>(code: Code, { limit, exceeded }: Counted): Failure<Code> | null =>
  exceeded ? limited(code, limit) : null;

/**
 * Counts a failed request for its network unless it has been counted already: every response carries the limit's
 * headers. `count` is called at most once.
 */
export async function countAtLast<Code extends string, Session>(
  ctx: Context,
  told: Told<Code>,
  errors: Errors<Code, Session>,
  count: () => Promise<Counted>,
): Promise<Told<Code>> {
  if (ctx.res.hasHeader('X-RateLimit-Limit')) return told;
  const counted = await count();
  ctx.set(limitHeaders(counted.limit));
  // An unforeseen failure is reported as such, even when the network is past its limit.
  const over = told.foreseen ? overLimit(errors.faults.limited, counted) : null;
  return over === null ? told : toldOf(errors, over);
}
