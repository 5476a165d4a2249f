import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';

/** Longer than the idle timeout of common load balancers (60 s), so that it is they who close an idle connection. */
const KEEP_ALIVE_MS = 65_000;

/** A whole answer to a request that never became one. */
export interface RawResponse {
  readonly status: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HttpServerOptions {
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers what Node's parser refuses (broken headers, headers too large, CONNECT); gets the socket's address. */
  readonly onMalformed: (remoteAddress: string | undefined) => Promise<RawResponse>;
}

/** An HTTP server on which every request gets an answer of ours, those that Node itself would refuse included. */
export function createHttpServer({ handler, onMalformed }: HttpServerOptions): Server {
  // A request without Host is refused by the handler: Node's own refusal has none of our headers.
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false }, handler);
  // What follows a good request on its connection may be junk; the good one is answered first.
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => answering.set(request.socket, response));

  async function refuse(socket: Duplex): Promise<void> {
    const before = answering.get(socket);
    if (before !== undefined && !before.writableFinished && !before.destroyed) await once(before, 'close');
    const remoteAddress = 'remoteAddress' in socket ? (socket.remoteAddress as string | undefined) : undefined;
    const { status, headers, body } = await onMalformed(remoteAddress);
    const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n${body}`);
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuse(socket).catch(() => socket.destroy());
  });
  server.on('connect', (_request, socket) => {
    refuse(socket).catch(() => socket.destroy());
  });
  // Node would answer 417 by itself to any expectation but 100-continue.
  server.on('checkExpectation', handler);
  return server;
}

/** Resolves to the port once the server listens; rejects with what `listen` reports (EADDRINUSE …). */
export function listen(server: NetServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Takes no new connection, lets the requests under way end, and cuts what is left after `graceMs`. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
