import { once } from 'node:events';
import { STATUS_CODES, createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as NetServer, Socket } from 'node:net';
import { boundConnections } from './connections.ts';
import type { ConnectionEvent } from './connections.ts';
import { cutStalled } from './stalled.ts';
import { settleTarget } from './target.ts';

/**
 * Longer than the idle timeout of common load balancers (60 s), so that the balancer closes an idle connection first.
 */
const KEEP_ALIVE_MS = 65_000;

/** The time limits of clients, in milliseconds. */
interface Patience {
  /**
   * Time for the headers of a request, from its first byte; for the first request of a connection, from its opening.
   */
  readonly headersMs: number;
  /** Time for the whole request. */
  readonly requestMs: number;
  /**
   * Time in which the client must read something of its answer. The kernel reports that in steps of a third of its
   * buffer.
   */
  readonly stalledMs: number;
  /** Time to read a refusal and to close. */
  readonly lingerMs: number;
  /** How often the first three limits are checked. */
  readonly checkMs: number;
}

const PATIENCE: Patience = {
  headersMs: 20_000,
  requestMs: 40_000,
  stalledMs: 30_000,
  lingerMs: 2000,
  checkMs: 2000,
};

/** Why a request is malformed: its syntax, its target, more than one Host, or it was not complete in time. */
export type Fault = 'syntax' | 'target' | 'host' | 'late';

/** What is known about a malformed request. */
export type Origin = Pick<IncomingMessage, 'socket' | 'headers'>;

/** A complete answer to a malformed request. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HttpServerOptions {
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Makes the answer to a malformed request. */
  readonly onMalformed: (fault: Fault, origin: Origin) => Promise<RawResponse>;
  /** The most connections that this process has open; see `boundConnections`. */
  readonly maxConnections: number;
  readonly onConnection?: (event: ConnectionEvent) => void;
  readonly patience?: Partial<Patience>;
}

/** The last request of a connection with its response, and the response to the request before it. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly before: ServerResponse | undefined;
}

/**
 * An HTTP server that answers every request itself, even those that Node would refuse, and that does not let a client
 * hold a connection without using it.
 */
export function createHttpServer(options: HttpServerOptions): Server {
  const { handler, onMalformed, maxConnections, onConnection = () => {} } = options;
  const { headersMs, requestMs, stalledMs, lingerMs, checkMs } = { ...PATIENCE, ...options.patience };
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    // The handler refuses a request without Host, because Node's own refusal would not have our headers.
    requireHostHeader: false,
  });
  // Node removes its own listener at CONNECT, and an `error` event without a listener would end the process.
  server.on('connection', (socket) => socket.on('error', () => {}));
  const giveUpStalled = cutStalled(server, stalledMs, checkMs);
  const connections = boundConnections(server, maxConnections, { giveUpStalled, onConnection });
  const exchanges = new WeakMap<Socket, Exchange>();
  const refused = new WeakSet<Socket>();
  const released = new Set<Socket>();
  const closeOwn = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    closeOwn();
    for (const socket of released) socket.destroy();
  };

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    exchanges.set(socket, { request, response, before: exchanges.get(socket)?.response });
    connections.busy(socket);
    response.once('close', () => {
      if (exchanges.get(socket)?.response !== response) return;
      // Kept until the next request, a finished exchange would outlive several collections of garbage. Of a request
      // that is not complete, the rest may still come, and be malformed.
      if (request.complete) exchanges.delete(socket);
      connections.idle(socket);
    });
    const fault = settleTarget(request);
    if (fault === null) handler(request, response);
    else refuseRequest(fault, request, response).catch(() => response.destroy());
  }

  async function refuseRequest(fault: Fault, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers, body } = await onMalformed(fault, request);
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
  }

  /** Refuses input that Node could not parse as a request. */
  async function refuse(fault: Fault, socket: Socket): Promise<void> {
    // Node reports each further piece of the same input again.
    if (refused.has(socket)) return;
    refused.add(socket);
    const last = exchanges.get(socket);
    const isInBody = last !== undefined && !last.request.complete;
    // The malformed input may follow good requests on the same connection. Those are answered first.
    const before = isInBody ? last.before : last?.response;
    if (before !== undefined && isUnderWay(before)) await once(before, 'close');
    // The request has been answered already; a fault in its body must not cause a second answer.
    if (isInBody && last.response.headersSent) {
      dismiss(socket, '');
      return;
    }
    const { status, headers, body } = await onMalformed(fault, { socket, headers: {} });
    const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    dismiss(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${body}`);
  }

  /**
   * Sends the last bytes to a client and gives it time to close. A connection that is closed at once while input is
   * unread is reset, and the client would lose the answer.
   */
  function dismiss(socket: Socket, bytes: string): void {
    const close = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(close));
    socket.removeAllListeners('data').on('data', () => {});
    if (socket.writable) socket.end(bytes);
  }

  server.on('request', receive);
  // Node would answer 417 by itself to any expectation but 100-continue.
  server.on('checkExpectation', receive);
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    // Of a server without TLS it is a Socket.
    const socket = duplex as Socket;
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    // A client that has sent nothing gets no answer. Its first request may be on its way, and it would take the refusal
    // for the response to that request.
    const isSilent = isLate && socket.bytesRead === 0;
    if (isSilent || error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuse(isLate ? 'late' : 'syntax', socket).catch(() => socket.destroy());
  });
  server.on('connect', (_request, duplex) => {
    const socket = duplex as Socket;
    // Node no longer manages this socket and would not close it with the others.
    released.add(socket);
    socket.once('close', () => released.delete(socket));
    refuse('syntax', socket).catch(() => socket.destroy());
  });
  return server;
}

function isUnderWay(response: ServerResponse): boolean {
  return !response.writableFinished && !response.destroyed;
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

/** Accepts no new connection, waits for the running requests, and closes what is left after `graceMs`. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
