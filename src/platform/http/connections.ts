import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What happens to a connection; one that is dropped is closed, too. */
export type ConnectionEvent = 'opened' | 'closed' | 'dropped';

export interface BoundOptions {
  /** Gives up the connection that has taken nothing of its answer for longest; see stalled.ts. */
  readonly giveUpStalled: () => Socket | undefined;
  readonly onConnection: (event: ConnectionEvent) => void;
}

/**
 * Bounds the connections of a server in this process. At the bound a new one takes the place of the one that has been without a request for
 * longest, or else has taken nothing of its answer for longest, so that connections that use nothing keep nobody out. `maxConnections` of
 * Node would refuse the new one instead and, among several processes, have the primary offer it to the next for ever while all are full.
 *
 * @returns takes note of a request on a connection.
 */
export function boundConnections(
  server: Server,
  maxConnections: number,
  { giveUpStalled, onConnection }: BoundOptions,
): (socket: Socket, response: ServerResponse) => void {
  let open = 0;
  /** Those without a request under way, longest first. */
  const waiting = new Set<Socket>();
  const answers = new WeakMap<Socket, ServerResponse>();

  server.on('connection', (socket) => {
    open += 1;
    onConnection('opened');
    waiting.add(socket);
    socket.once('close', () => {
      open -= 1;
      onConnection('closed');
      waiting.delete(socket);
    });
    if (open <= maxConnections) return;
    const [idle] = waiting;
    // The new one waits, too.
    const longest = idle === socket ? (giveUpStalled() ?? socket) : (idle ?? socket);
    onConnection('dropped');
    // Its end comes later: meanwhile another must not find it here.
    waiting.delete(longest);
    longest.destroy();
  });

  return (socket, response) => {
    answers.set(socket, response);
    waiting.delete(socket);
    response.once('close', () => {
      if (answers.get(socket) === response && !socket.destroyed) waiting.add(socket);
    });
  };
}
