import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import Koa from 'koa';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import type { Surface } from '../../kit/http/surface.ts';
import type { ConnectionEvent } from '../../platform/http/connections.ts';
import { answerHealth } from '../../platform/http/management.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import type { Readiness } from '../../platform/process/readiness.ts';
import type { createPaginas } from '../../surfaces/pages/paginas.ts';
import type { createPsp } from '../../surfaces/psp/psp.ts';

export interface SurfaceServerDeps {
  readonly paginas: ReturnType<typeof createPaginas>;
  readonly psp: ReturnType<typeof createPsp>;
  readonly publicApi: Surface;
  readonly readiness: () => Promise<Readiness>;
  readonly logger: Logger;
  /** Hears of every request but those for health. */
  readonly onRequest: () => void;
  readonly maxConnections: number;
  readonly onConnection: (event: ConnectionEvent) => void;
}

/** An HTTP server with every surface on it; each says itself which requests are its own. It does not listen yet. */
export function createSurfaceServer(deps: SurfaceServerDeps) {
  const { paginas, psp, publicApi, readiness, logger, onRequest, maxConnections, onConnection } = deps;

  /** A reader that went away in the midst of its answer, however that shows, is nobody's failure. */
  function falhou(error: Error, { socket }: IncomingMessage): void {
    if (socket.writable) logger.error({ err: error }, 'falha ao responder');
  }

  const app = new Koa();
  app.use(async (ctx, next) => {
    await next();
    const body: unknown = ctx.body;
    // Heard before Koa, which closes the connection when what it sends fails: then it could not be told who was first.
    if (body instanceof Readable) body.once('error', (error) => falhou(error, ctx.req));
  });
  app.use(paginas.middleware);
  app.use(psp.middleware);
  app.use(publicApi.middleware);
  app.on('error', (error: Error, ctx: Context) => falhou(error, ctx.req));
  const koa = app.callback();

  /** What fails past the surfaces' own answers ends its request alone; a rejection that nobody hears would end the process. */
  function ouvir(atendida: Promise<void>, request: IncomingMessage, response: ServerResponse): void {
    atendida.catch((error: Error) => {
      falhou(error, request);
      response.destroy();
    });
  }

  return createHttpServer({
    maxConnections,
    onConnection,
    handler(request, response) {
      if (answerHealth(request.method, request.url, response, readiness)) return;
      onRequest();
      const responder = (): void => ouvir(koa(request, response), request, response);
      if (paginas.atende(request)) paginas.receber(responder);
      else if (psp.atende(request)) responder();
      else ouvir(publicApi.receive(request, response, responder), request, response);
    },
    onMalformed: publicApi.refuseMalformed,
  });
}
