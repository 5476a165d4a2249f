import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { decodeDisconnectReply, encodeDisconnectRequest } from './disconnect.ts';
import type { DisconnectReply, NasSession } from './disconnect.ts';

/** Where a NAS receives Disconnect-Requests. */
export interface NasAddress {
  readonly host: string;
  /** 3799, unless the NAS is configured otherwise (RFC 5176, section 2.1). */
  readonly port: number;
  readonly secret: string;
}

/** Sends a Disconnect-Request once; resolves to the answer, or to null when no valid one came in time. */
export type DisconnectSession = (nas: NasAddress, session: NasSession) => Promise<DisconnectReply | null>;

/**
 * A client for NASes. Each request has a connected socket of its own, so that only its NAS can answer, and a closed
 * port is noticed at once.
 *
 * @param timeoutMs how long to wait for an answer. The caller decides whether to send again.
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
        // The kernel may still report an error of the port; it is ignored.
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
