import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Readiness } from '../process/readiness.ts';
import { createHttpServer } from './server.ts';

const JSON_UTF8 = 'application/json; charset=utf-8';
const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/** The most connections of operators, their browsers and their scrapers. */
const MAX_CONNECTIONS = 500;

/** The path of the queues' board. */
export const BOARD_PATH = '/filas';

export type Board = (request: IncomingMessage, response: ServerResponse) => void;

export interface ManagementDeps {
  /** Text for Prometheus. */
  readonly metrics: () => Promise<string>;
  readonly readiness: () => Promise<Pick<Readiness, 'pronto'>>;
  /** The queues' board; absent when no password is set for it. */
  readonly board?: Board;
}

/**
 * Answers `/healthz` and `/readyz`; returns false for any other request. Both have no personal data and need no key.
 */
export function answerHealth(
  method: string | undefined,
  url: string | undefined,
  response: ServerResponse,
  readiness: ManagementDeps['readiness'],
): boolean {
  if (url !== '/healthz' && url !== '/readyz') return false;
  if (method !== 'GET') return false;
  if (url === '/healthz') send(response, 200, JSON_UTF8, '{"vivo":true}');
  else void readiness().then((state) => send(response, state.pronto ? 200 : 503, JSON_UTF8, JSON.stringify(state)));
  return true;
}

/** The server of metrics, health and the queues' board. It is meant for the operator's network only. */
export function createManagementServer({ metrics, readiness, board }: ManagementDeps): Server {
  return createHttpServer({
    maxConnections: MAX_CONNECTIONS,
    handler(request, response) {
      const { method, url } = request;
      if (answerHealth(method, url, response, readiness)) return;
      if (board !== undefined && isBoards(request)) {
        board(request, response);
        return;
      }
      if (method !== 'GET' || url !== '/metrics') {
        send(response, 404, JSON_UTF8, '{"erro":"rota_inexistente"}');
        return;
      }
      metrics().then(
        (text) => send(response, 200, PROMETHEUS_TEXT, text),
        () => send(response, 500, JSON_UTF8, '{"erro":"erro_interno"}'),
      );
    },
    onMalformed: async () => ({
      status: 400,
      headers: { 'Content-Type': JSON_UTF8, 'Cache-Control': 'no-store' },
      body: '{"erro":"parametro_invalido"}',
    }),
  });
}

function isBoards({ url = '' }: IncomingMessage): boolean {
  const [path = ''] = url.split('?');
  return path === BOARD_PATH || path.startsWith(`${BOARD_PATH}/`);
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
}
