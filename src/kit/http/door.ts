import type { IncomingMessage } from 'node:http';
import type { Reading as GateReading } from '../../platform/gate/gate.ts';
import type { Limit } from '../reply/reply.ts';

/** A request counted in its network's window. */
export interface Counted {
  readonly limit: Limit;
  /** Past the limit, it is to be refused. */
  readonly exceeded: boolean;
}

/**
 * The outcome of a request at the door: admitted with a session, or refused with a code. `reading` begins with the tags
 * asked for, in their order; null when Redis could not say.
 */
export type Entry<Session, Code> =
  | {
      readonly admitted: true;
      readonly limit: Limit;
      readonly session: Session;
      readonly reading: GateReading | null;
    }
  | { readonly admitted: false; readonly limit: Limit; readonly refusal: Code };

/** Tags of a credential's tenant that the round trip at the door shall read too, known once the tenant is. */
type TagsOf = (tenantId: number, reader: string) => readonly string[];

/** Who decides whether a request may go on, and counts it. */
export interface Door<Session, Code> {
  /** Counts it exactly once where it counts: in its credential's window or in its network's. */
  readonly enter: (request: IncomingMessage, ip: string, tagsOf: TagsOf) => Promise<Entry<Session, Code>>;
  /** Counts a request that no credential answers for. */
  readonly countNetwork: (ip: string) => Promise<Counted>;
}
