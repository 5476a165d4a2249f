import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import Koa from 'koa';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import type { Surface } from '../../kit/http/surface.ts';
import type { ConnectionEvent } from '../../platform/http/connections.ts';
import { answerHealth } from '../../platform/http/management.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import type { Tracing } from '../../platform/tracing/tracing.types.ts';
import type { Readiness } from '../../platform/process/readiness.ts';
import type { Mcp } from '../../surfaces/mcp/mcp.ts';
import type { createPaginas } from '../../surfaces/pages/paginas.ts';
import type { Painel } from '../../surfaces/panel/painel.ts';
import type { createPsp } from '../../surfaces/psp/psp.ts';

export interface SurfaceServerDeps {
  readonly pages: ReturnType<typeof createPaginas>;
  readonly painel: Painel;
  readonly psp: ReturnType<typeof createPsp>;
  readonly mcp: Mcp;
  readonly appApi: Surface;
  readonly publicApi: Surface;
  readonly readiness: () => Promise<Readiness>;
  readonly logger: Logger;
  readonly tracing: Tracing | null;
  /** Called for every request, except those for health. */
  readonly onRequest: () => void;
  readonly maxConnections: number;
  readonly onConnection: (event: ConnectionEvent) => void;
}

/**
 * An HTTP server with every surface on it. Each surface says which requests are its own. The server does not listen
 * yet.
 */
export function createSurfaceServer(deps: SurfaceServerDeps) {
  const {
    pages,
    painel,
    psp,
    mcp,
    appApi,
    publicApi,
    readiness,
    logger,
    tracing,
    onRequest,
    maxConnections,
    onConnection,
  } = deps;

  /** Logs a failure, unless the client has gone away while it was being answered. */
  function reportFailure(error: Error, { socket }: IncomingMessage): void {
    if (socket.writable) logger.error({ err: error }, 'falha ao responder');
  }

  const app = new Koa();
  app.use(async (ctx, next) => {
    await next();
    const body: unknown = ctx.body;
    // This listener comes before Koa's, which closes the connection when the body fails. After that it could not be
    // told whether the client had gone away first.
    if (body instanceof Readable) body.once('error', (error) => reportFailure(error, ctx.req));
  });
  app.use(pages.middleware);
  app.use(painel.middleware);
  app.use(psp.middleware);
  app.use(mcp.middleware);
  app.use(async (ctx, next) => {
    await (appApi.owns(ctx.req) ? appApi : publicApi).middleware(ctx, next);
  });
  app.on('error', (error: Error, ctx: Context) => reportFailure(error, ctx.req));
  const koa = app.callback();

  /** Ends only this request when answering it fails. A rejection without a handler would end the process. */
  function endOnFailure(answered: Promise<void>, request: IncomingMessage, response: ServerResponse): void {
    answered.catch((error: Error) => {
      reportFailure(error, request);
      response.destroy();
    });
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const answer = (): void => endOnFailure(koa(request, response), request, response);
    if (pages.atende(request)) pages.receber(answer);
    else if (psp.atende(request) || painel.atende(request) || mcp.owns(request)) answer();
    else {
      const api = appApi.owns(request) ? appApi : publicApi;
      endOnFailure(api.receive(request, response, answer), request, response);
    }
  }

  return createHttpServer({
    maxConnections,
    onConnection,
    handler(request, response) {
      if (answerHealth(request.method, request.url, response, readiness)) return;
      onRequest();
      if (tracing === null) handle(request, response);
      else tracing.request(request, response, () => handle(request, response));
    },
    onMalformed: publicApi.refuseMalformed,
  });
}
