import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';

export interface DrainOptions {
  /** How long idle connections stay open, because their clients may be about to send a request. */
  readonly idleMs: number;
  /** After this time all connections that are left are closed. */
  readonly graceMs: number;
  /** Called once the server accepts no more connections. */
  readonly onUnlistened?: () => void;
}

const IDLE_CHECK_MS = 50;

/**
 * Ends a server without interrupting a request. It accepts no more connections. Open ones get their next answer with
 * `Connection: close`, which tells the client not to send another request there. Idle ones stay open for `idleMs`: a
 * client that sends a request while we close the connection would see a reset.
 */
export async function drain(server: Server, { idleMs, graceMs, onUnlistened }: DrainOptions): Promise<void> {
  const isLastAnswer = (_request: IncomingMessage, response: ServerResponse): void => {
    response.setHeader('Connection', 'close');
  };
  server.prependListener('request', isLastAnswer);
  server.prependListener('checkExpectation', isLastAnswer);
  // `close` of net, not of http: since Node 19 the latter closes idle connections at once, when a request may be on its
  // way.
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
  onUnlistened?.();

  let idle: NodeJS.Timeout | undefined;
  const patience = setTimeout(() => {
    server.closeIdleConnections();
    // A connection whose answer began before the drain was not told to close. It becomes idle now and then.
    idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  }, idleMs);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(patience);
  clearTimeout(grace);
  clearInterval(idle);
}
