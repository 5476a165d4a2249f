import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';

export interface DrainOptions {
  /** How long a connection that asks for nothing is kept, in case its client is about to ask. */
  readonly idleMs: number;
  /** When whatever is left is cut. */
  readonly graceMs: number;
  /** Called once the server takes no more connections. */
  readonly onUnlistened?: () => void;
}

const IDLE_CHECK_MS = 50;

/**
 * Ends a server without cutting a request. It takes no more connections; those that are open get their next answer with
 * `Connection: close`, which tells the client not to send another request there, and idle ones stay open for `idleMs`:
 * a client that sends into a connection at the moment we close it sees a reset, so idle connections are closed late.
 */
export async function drain(server: Server, { idleMs, graceMs, onUnlistened }: DrainOptions): Promise<void> {
  const isLastAnswer = (_request: IncomingMessage, response: ServerResponse): void => {
    response.setHeader('Connection', 'close');
  };
  server.prependListener('request', isLastAnswer);
  server.prependListener('checkExpectation', isLastAnswer);
  // Of net, not of http: since Node 19 the latter closes idle connections at once, and a request may be on its way on one.
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
  onUnlistened?.();

  let idle: NodeJS.Timeout | undefined;
  const patience = setTimeout(() => {
    server.closeIdleConnections();
    // A connection whose request was under way until now has become idle without having been told to close.
    idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  }, idleMs);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(patience);
  clearTimeout(grace);
  clearInterval(idle);
}
