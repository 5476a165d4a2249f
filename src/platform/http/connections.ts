import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** What happens to a connection. A dropped connection also emits `closed`. */
export type ConnectionEvent = 'opened' | 'closed' | 'dropped';

export interface BoundOptions {
  /**
   * Chooses the connection that has read nothing of its answer for the longest time, and forgets it; see stalled.ts.
   */
  readonly giveUpStalled: () => Socket | undefined;
  readonly onConnection: (event: ConnectionEvent) => void;
}

/**
 * Limits the connections that a server has open in this process. At the limit, a new connection replaces the one that
 * has been without a request for the longest time; when there is none, the one that has read nothing of its answer for
 * the longest time. So unused connections cannot block new clients. Node's own `maxConnections` would refuse the new
 * connection. With several processes that are all full, the primary would then offer it to one after the other for
 * ever.
 *
 * @returns what must be told when a connection's first running request begins, and when its last one ends.
 */
export function boundConnections(
  server: Server,
  maxConnections: number,
  { giveUpStalled, onConnection }: BoundOptions,
): { busy(socket: Socket): void; idle(socket: Socket): void } {
  let open = 0;
  /** Connections without a running request, the longest waiting first. */
  const waiting = new Set<Socket>();

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
    // The new connection is among the waiting ones.
    const longest = idle === socket ? (giveUpStalled() ?? socket) : (idle ?? socket);
    onConnection('dropped');
    // `close` comes later. Until then the next new connection must not choose it again.
    waiting.delete(longest);
    longest.destroy();
  });

  return {
    busy: (socket) => void waiting.delete(socket),
    idle(socket) {
      if (!socket.destroyed) waiting.add(socket);
    },
  };
}
