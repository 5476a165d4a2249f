import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Db } from '../mysql/database.ts';

/** Spans of what this process does, sent to a collector. Attributes hold patterns, names and ids; no values, no addresses. */
export interface Tracing {
  /** Begins the span of a request, which ends with its response; continues the caller's trace. */
  request(request: IncomingMessage, response: ServerResponse, answer: () => void): void;
  /** Names the span of the request under way by what it was answered by. */
  answered(route: string): void;
  job<T>(name: string, jobId: string, work: () => Promise<T>): Promise<T>;
  /** A span for each query of a pool, below what it was asked for. Queries of no request or job have none. */
  watchQueries(db: Db): void;
  /** Sends what is left. */
  close(): Promise<void>;
}
