import type { IncomingMessage } from 'node:http';
import type { TagState as GateReading } from '../../platform/gate/gate.ts';
import type { Limit } from '../reply/reply.ts';

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
    }
  | { readonly admitted: false; readonly limit: Limit; readonly refusal: Code };

/** Names the tags that the round trip at the door reads as well. It is called once the credential's tenant is known. */
type TagsOf = (tenantId: number, reader: string) => readonly string[];

/** Decides whether a request may go on, and counts it. */
export interface Door<Session, Code> {
  /** Counts the request exactly once, in the window of its credential or in the window of its network. */
  readonly enter: (request: IncomingMessage, ip: string, tagsOf: TagsOf) => Promise<Entry<Session, Code>>;
  /** Admits a request to a route that takes no credential, and counts it for its network. Of surfaces with such routes. */
  readonly visit?: (request: IncomingMessage, ip: string) => Promise<Entry<Session, Code>>;
  /** Counts a request that no credential answers for. */
  readonly countNetwork: (ip: string) => Promise<Counted>;
}
