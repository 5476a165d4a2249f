import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { decodeReply, encodeRequest } from './dynamic-authorization.ts';
import type { NasReply, NasRequest } from './dynamic-authorization.ts';

/** Where a NAS receives CoA- and Disconnect-Requests. */
export interface NasAddress {
  readonly host: string;
  /** 3799, unless the NAS is configured otherwise (RFC 5176, section 2.1). */
  readonly port: number;
  readonly secret: string;
}

/** Sends a request once; resolves to the answer, or to null when no valid one came in time. */
export type AskNas = (nas: NasAddress, request: NasRequest) => Promise<NasReply | null>;

/**
 * A client for NASes. Each request has a connected socket of its own, so that only its NAS can answer, and a closed
 * port is noticed at once.
 *
 * @param timeoutMs how long to wait for an answer. The caller decides whether to send again.
 */
export function createNasClient({ timeoutMs }: { timeoutMs: number }): AskNas {
  return async ({ host, port, secret }, asked) => {
    const request = encodeRequest(randomInt(256), asked, secret);
    const socket = createSocket('udp4');
    return new Promise((resolve) => {
      const timer = setTimeout(() => finish(null), timeoutMs);
      function finish(reply: NasReply | null): void {
        clearTimeout(timer);
        socket.removeAllListeners();
        // The kernel may still report an error of the port; it is ignored.
        socket.on('error', () => {});
        socket.close();
        resolve(reply);
      }
      socket.once('error', () => finish(null));
      socket.on('message', (message) => {
        const reply = decodeReply(request, message, secret);
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
