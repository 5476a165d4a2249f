import Koa from 'koa';
import type { Logger } from 'pino';
import { answerHealth } from './platform/http/management.ts';
import { createHttpServer } from './platform/http/server.ts';
import type { Readiness } from './platform/readiness.ts';
import type { createPaginas } from './surfaces/pages/paginas.ts';
import type { createPsp } from './surfaces/psp/psp.ts';
import type { createPublicApi } from './surfaces/public-api/public-api.ts';

/** A download that its client broke off, of which nobody has to hear. */
const ABORTED = 'ERR_STREAM_PREMATURE_CLOSE';

export interface ServicoDeps {
  readonly paginas: ReturnType<typeof createPaginas>;
  readonly psp: ReturnType<typeof createPsp>;
  readonly publicApi: ReturnType<typeof createPublicApi>;
  readonly readiness: () => Promise<Readiness>;
  readonly logger: Logger;
  /** Hears of every request but those for health. */
  readonly onRequest: () => void;
}

/** An HTTP server with every surface on it; each says itself which requests are its own. It does not listen yet. */
export function createServico({ paginas, psp, publicApi, readiness, logger, onRequest }: ServicoDeps) {
  const app = new Koa();
  app.use(paginas.middleware);
  app.use(psp.middleware);
  app.use(publicApi.middleware);
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== ABORTED) logger.error({ err: error }, 'falha ao responder');
  });
  const responder = app.callback();
  return createHttpServer({
    handler(request, response) {
      if (answerHealth(request.method, request.url, response, readiness)) return;
      onRequest();
      if (paginas.atende(request)) paginas.receber(async () => responder(request, response));
      else if (psp.atende(request)) void responder(request, response);
      else void publicApi.receber(request, response, () => void responder(request, response));
    },
    onMalformed: publicApi.recusarMalformada,
  });
}
