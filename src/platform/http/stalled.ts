import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Of the bytes written to a connection: how many are done, and how many of the rest the kernel has not taken yet. */
interface Progress {
  readonly done: number;
  readonly queued: number;
}

interface Mark extends Progress {
  readonly since: number;
}

/**
 * Closes connections whose client has read nothing of its answer for `stalledMs` milliseconds; it checks every
 * `checkMs`. Node's own timer starts again with each byte that the client sends, so a client that sends a byte now and
 * then would keep its connection for ever.
 *
 * @returns a function that chooses the connection that has read nothing for the longest time, and forgets it; undefined
 * when no connection was seen without progress more than once.
 */
export function cutStalled(server: Server, stalledMs: number, checkMs: number): () => Socket | undefined {
  const open = new Set<Socket>();
  /** The connections with unsent bytes, the longest without progress first. */
  const marks = new Map<Socket, Mark>();

  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => forget(socket));
  });

  function forget(socket: Socket): void {
    open.delete(socket);
    marks.delete(socket);
  }

  function look(socket: Socket, now: number): void {
    const mark = marks.get(socket);
    const { done, queued } = progressOf(socket);
    if (mark?.done === done && mark.queued === queued) {
      if (now - mark.since >= stalledMs) socket.destroy();
      return;
    }
    // Deleted and set again, so that it comes last.
    marks.delete(socket);
    marks.set(socket, { done, queued, since: now });
  }

  const looking = setInterval(() => {
    const now = performance.now();
    for (const socket of open) {
      if (socket.writableLength > 0) look(socket, now);
      else marks.delete(socket);
    }
  }, checkMs).unref();
  server.once('close', () => clearInterval(looking));

  return () => {
    const [longest] = marks;
    if (longest === undefined || performance.now() - longest[1].since < 2 * checkMs) return undefined;
    // `close` comes later. Until then it must not be chosen again.
    forget(longest[0]);
    return longest[0];
  };
}

/**
 * Only Node's handle knows how far the writing of a single large chunk has come; Node's own timer uses the same number.
 */
function progressOf(socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }): Progress {
  // oxlint-disable-next-line no-underscore-dangle -- Node has no other name for it; without it a chunk counts only when it is completely written
  const queued = socket._handle?.writeQueueSize ?? 0;
  return { done: socket.bytesWritten - socket.writableLength, queued };
}
