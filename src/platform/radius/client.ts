import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { decodeDisconnectReply, encodeDisconnectRequest } from './disconnect.ts';
import type { DisconnectReply, NasSession } from './disconnect.ts';

/** Where a NAS takes Disconnect-Requests. */
export interface NasAddress {
  readonly host: string;
  /** 3799, unless the NAS was told otherwise (RFC 5176, section 2.1). */
  readonly port: number;
  readonly secret: string;
}

/** Sends a Disconnect-Request once; resolves to the answer, or to null when none worth the name came in time. */
export type DisconnectSession = (nas: NasAddress, session: NasSession) => Promise<DisconnectReply | null>;

/**
 * A client of NASes. Each request has a socket of its own, connected, so that only its NAS can answer it, and a closed
 * port is known at once.
 *
 * @param timeoutMs how long an answer is waited for. Sending again is the caller's to decide.
 */
export function createDisconnectClient({ timeoutMs }: { timeoutMs: number }): DisconnectSession {
  return async ({ host, port, secret }, session) => {
    const request = encodeDisconnectRequest(randomInt(256), session, secret);
    const socket = createSocket('udp4');
    return new Promise((resolve) => {
      const timer = setTimeout(() => finish(null), timeoutMs);
      function finish(reply: DisconnectReply | null): void {
        clearTimeout(timer);
        socket.removeAllListeners();
        // What the kernel still has to say of the port is nobody's concern any more.
        socket.on('error', () => {});
        socket.close();
        resolve(reply);
      }
      socket.once('error', () => finish(null));
      socket.on('message', (message) => {
        const reply = decodeDisconnectReply(request, message, secret);
        if (reply !== null) finish(reply);
      });
      socket.once('connect', () => {
        socket.send(request, (error) => {
          if (error !== null) finish(null);
        });
      });
      socket.connect(port, host);
    });
  };
}
