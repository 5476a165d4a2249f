import { once } from 'node:events';
import { STATUS_CODES, createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as NetServer, Socket } from 'node:net';
import { boundConnections } from './connections.ts';
import type { ConnectionEvent } from './connections.ts';
import { cutStalled } from './stalled.ts';
import { settleTarget } from './target.ts';

/** Longer than the idle timeout of common load balancers (60 s), so that it is they who close an idle connection. */
const KEEP_ALIVE_MS = 65_000;

/** How long a client may take, in milliseconds. */
interface Patience {
  /** Until the headers of a request are whole, from its first byte; of a connection's first request, from when it was opened. */
  readonly headersMs: number;
  /** Until a request is whole. */
  readonly requestMs: number;
  /** Without taking a byte of what is being sent to it. The kernel says so of a third of its buffer at a time. */
  readonly stalledMs: number;
  /** To read why it was refused and to close. */
  readonly lingerMs: number;
  /** How often the first three are looked at. */
  readonly checkMs: number;
}

const PATIENCE: Patience = {
  headersMs: 20_000,
  requestMs: 40_000,
  stalledMs: 30_000,
  lingerMs: 2000,
  checkMs: 2000,
};

/** Why a request is none: what HTTP does not know, its target, more than one Host, or that it did not come whole in time. */
export type Fault = 'syntax' | 'target' | 'host' | 'late';

/** What is known of a request that may not be one. */
export type Origin = Pick<IncomingMessage, 'socket' | 'headers'>;

/** A whole answer to a request that never became one. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HttpServerOptions {
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers what is no request. */
  readonly onMalformed: (fault: Fault, origin: Origin) => Promise<RawResponse>;
  /** Connections that this process has open at a time; see `boundConnections`. */
  readonly maxConnections: number;
  readonly onConnection?: (event: ConnectionEvent) => void;
  readonly patience?: Partial<Patience>;
}

/** The last request that came on a connection, and the answer to the one before it. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly before: ServerResponse | undefined;
}

/**
 * An HTTP server on which every request gets an answer of ours, those that Node itself would refuse included, and on which no client holds
 * a connection for longer than it uses it.
 */
export function createHttpServer(options: HttpServerOptions): Server {
  const { handler, onMalformed, maxConnections, onConnection = () => {} } = options;
  const { headersMs, requestMs, stalledMs, lingerMs, checkMs } = { ...PATIENCE, ...options.patience };
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    // A request without Host is refused by the handler: Node's own refusal has none of our headers.
    requireHostHeader: false,
  });
  // Node takes its own listener away with CONNECT, and an error that nobody hears ends the process.
  server.on('connection', (socket) => socket.on('error', () => {}));
  const giveUpStalled = cutStalled(server, stalledMs, checkMs);
  const noteRequest = boundConnections(server, maxConnections, { giveUpStalled, onConnection });
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
    noteRequest(socket, response);
    const fault = settleTarget(request);
    if (fault === null) handler(request, response);
    else refuseRequest(fault, request, response).catch(() => response.destroy());
  }

  async function refuseRequest(fault: Fault, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers, body } = await onMalformed(fault, request);
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
  }

  /** Refuses what Node could make no request of. */
  async function refuse(fault: Fault, socket: Socket): Promise<void> {
    // Each further piece of it is told of anew.
    if (refused.has(socket)) return;
    refused.add(socket);
    const last = exchanges.get(socket);
    const isInBody = last !== undefined && !last.request.complete;
    // What follows good requests on their connection may be junk; they are answered first.
    const before = isInBody ? last.before : last?.response;
    if (before !== undefined && isUnderWay(before)) await once(before, 'close');
    // A request has one answer, though its body went wrong after it.
    if (isInBody && last.response.headersSent) {
      dismiss(socket, '');
      return;
    }
    const { status, headers, body } = await onMalformed(fault, { socket, headers: {} });
    const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    dismiss(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${body}`);
  }

  /** Says the last to a client, which has a moment to close: closed at once with bytes unread, a connection is reset, its answer lost. */
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
    // A client that has sent nothing gets no answer: its first request may be on its way, and would take the refusal for its response.
    const isSilent = isLate && socket.bytesRead === 0;
    if (isSilent || error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuse(isLate ? 'late' : 'syntax', socket).catch(() => socket.destroy());
  });
  server.on('connect', (_request, duplex) => {
    const socket = duplex as Socket;
    // Node has let go of it, and would not close it with the others.
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
