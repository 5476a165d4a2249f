import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { rightsOfAll } from '../../access/rights/rights.ts';
import { createNetworkLimit } from '../../access/limits.ts';
import type { RecebimentosService } from '../../domain/recebimentos/recebimentos.service.ts';
import type { Envelope } from '../../kit/reply/envelope.ts';
import { createExchange, seenOf } from '../../kit/http/exchange.ts';
import { createHandler } from '../../kit/http/handler.ts';
import { createObservation } from '../../kit/http/observation.ts';
import type { Gate } from '../../platform/gate/gate.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { entrada } from './entrada.ts';
import { erros, recusar } from './erros.ts';
import { criarPorta } from './porta.ts';
import type { PortaDeps } from './porta.ts';
import { criarRota } from './rota.ts';
import type { DoPsp } from './rota.ts';

const RECEPTORES = rightsOfAll('receptor');

export interface PspDeps extends Omit<PortaDeps, 'contarRede'> {
  readonly recebimentos: RecebimentosService;
  readonly gate: Pick<Gate, 'admit'>;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'request' | 'refusal'>;
  /** A line a request at `info` instead of `debug`. */
  readonly logRequests: boolean;
}

export interface Psp {
  /** Whether a request is for a receiver. */
  readonly atende: (request: IncomingMessage) => boolean;
  /** Answers requests for receivers; leaves all others to what follows. */
  readonly middleware: Middleware;
}

/** A receiver's address; PSPs add `/pix` to what they were given, and some a query. */
const ALVO = /^\/webhooks\/pix\/(?<segredo>[^/?]*)(?:\/pix)?\/?(?:\?|$)/;

/** Requests of one network in a minute that no receiver answers for. */
const LIMITE_DE_ERROS = 60;

/** That of the public API. */
const envelope: Pick<Envelope, 'success' | 'failure'> = {
  success: ({ data }) => ({ sucesso: true, dados: data }),
  failure: (codigo, mensagem) => ({ sucesso: false, erro: { codigo, mensagem } }),
};

/**
 * Where PSPs tell of PIX payments. The address holds the provider's secret; the PSP's client certificate, where it has one, is judged by
 * the proxy in front.
 */
export function createPsp({ recebimentos, gate, logger, metrics, logRequests, ...daPorta }: PspDeps): Psp {
  const contarRede = createNetworkLimit({ gate, name: 'psp', most: LIMITE_DE_ERROS, onRefusal: metrics.refusal });
  const entrar = criarPorta({ ...daPorta, contarRede });
  const rota = criarRota(logger);
  const receber = createHandler<DoPsp>(rota, {
    ports: {
      read: async (_sessao, _trail, _inteira, work) => work(null),
      write: async (_sessao, _repeticao, work) => work(null, recebimentos),
      may: () => true,
      rightsOf: () => RECEPTORES,
      keeping: null,
    },
    input: entrada,
    envelope,
    faults: erros.faults,
  });
  const trocar = createExchange<DoPsp>({
    errors: erros,
    envelope,
    headers: { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' },
    logger,
    observe: createObservation<DoPsp>({
      metrics: { request: metrics.request },
      logger,
      logRequests,
      base: '',
      identify: () => ({}),
    }),
  });

  return {
    atende: ({ url = '' }) => ALVO.test(url),

    async middleware(ctx, next) {
      const segredo = ALVO.exec(ctx.req.url ?? '')?.groups?.['segredo'];
      if (segredo === undefined) {
        await next();
        return;
      }
      await trocar(ctx, async (requestId) => {
        if (ctx.method === rota.method) seenOf<DoPsp>(ctx).route = rota;
        const session = await entrar(ctx.req, segredo);
        if (ctx.method !== rota.method) throw recusar('metodo_nao_permitido', { Allow: rota.method });
        // What PSPs add to the address says nothing.
        await receber(ctx, { session, since: null, requestId, params: { segredo }, query: '' });
      });
    },
  };
}
