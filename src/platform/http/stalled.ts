import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Of what was written to a connection: what it is done with, and what of the rest the kernel has not taken yet. */
interface Progress {
  readonly done: number;
  readonly queued: number;
}

interface Mark extends Progress {
  readonly since: number;
}

/**
 * Cuts connections that take nothing of what is sent to them for `stalledMs` milliseconds, looked at every `checkMs`. Node's own timer begins
 * again with each byte that the client sends, so that one that sends a byte now and then would never be cut by it.
 *
 * @returns gives up the connection that has taken nothing for longest, where there is one that was seen so more than once.
 */
export function cutStalled(server: Server, stalledMs: number, checkMs: number): () => Socket | undefined {
  const open = new Set<Socket>();
  /** Longest first. */
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
    // As the newest.
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
    // Its end comes later: meanwhile another must not find it here.
    forget(longest[0]);
    return longest[0];
  };
}

/** Within one piece that is being written only Node's handle knows how far it has come; Node's own timer looks at the same number. */
function progressOf(socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }): Progress {
  // oxlint-disable-next-line no-underscore-dangle -- Node has no other name for it; without it a piece counts only when it is through
  const queued = socket._handle?.writeQueueSize ?? 0;
  return { done: socket.bytesWritten - socket.writableLength, queued };
}
