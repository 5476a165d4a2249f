import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { KeyRefusal, KeySession } from '../../access/keys.ts';
import type { KeySurface } from '../../access/ports.ts';
import { answerCors } from '../../kit/browsers/cors.ts';
import type { CorsRules } from '../../kit/browsers/cors.ts';
import { countAtLast, limited } from '../../kit/http/door.ts';
import type { Counted, Door } from '../../kit/http/door.ts';
import { createExchange, seenOf } from '../../kit/http/exchange.ts';
import { createObservation } from '../../kit/http/observation.ts';
import { Failure } from '../../kit/reply/failure.ts';
import { COMMON_HEADERS, limitHeaders } from '../../kit/reply/reply.ts';
import { sourceIp } from '../../platform/http/request.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { envelope, erros, recusar } from './erros.ts';
import type { DoMcp } from './erros.ts';
import { chamadaEm, lerMensagem } from './mensagem.ts';
import type { ApiDasFerramentas, createServidor } from './servidor.ts';

type Servidor = ReturnType<typeof createServidor>;

export interface McpDeps<T extends KeySurface> {
  /** The API whose routes are the tools. */
  readonly api: ApiDasFerramentas<T>;
  readonly door: Door<KeySession, KeyRefusal>;
  /** Of which origins pages may call. */
  readonly origins: CorsRules['allows'];
  /** Counts preflights, which no credential answers for. */
  readonly countPreflight: (ip: string) => Promise<Counted>;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'request' | 'error' | 'tenant'>;
  /** A line a request at `info` instead of `debug`. */
  readonly logRequests: boolean;
  /** Trusted proxies in front. */
  readonly proxies: number;
}

export interface Mcp {
  /** Whether a request is for the agents' door. */
  readonly owns: (request: IncomingMessage) => boolean;
  /** Answers requests for the agents' door; leaves all others to what follows. */
  readonly middleware: Middleware;
}

const ENDERECO = '/v1/mcp';

/** Headers of requests that repeat parts of the message (revision 2026-07-28, "Streamable HTTP"), and what of HTTP the SDK reads. */
const DO_PROTOCOLO = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

const CORS = {
  methods: ['POST'],
  requestHeaders: ['Authorization', 'X-API-Key', 'Content-Type', 'Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
  responseHeaders: ['Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
  maxAgeSeconds: 600,
} as const;

/** `/v1/mcp`: the public API for agents, by the Model Context Protocol. */
export function createMcp<T extends KeySurface>(deps: McpDeps<T>): Mcp {
  const { api, door, origins, countPreflight, logger, metrics, logRequests, proxies } = deps;
  // Loaded by the first message: the protocol's library takes some 20 MB that a process without agents does not need.
  let carregado: Promise<Servidor> | undefined;
  const carregar = async (): Promise<Servidor> =>
    (carregado ??= import('./servidor.ts').then(({ createServidor }) => createServidor(api, logger)));
  const cors: CorsRules = { ...CORS, allows: origins };
  /** What measures are named by: the tool that was called, where there is one. */
  const medidas = new Map<string, { readonly method: 'POST'; readonly path: string }>();
  const trocar = createExchange<DoMcp>({
    errors: erros,
    envelope,
    headers: COMMON_HEADERS,
    logger,
    observe: createObservation<DoMcp>({
      metrics,
      logger,
      logRequests,
      base: ENDERECO,
      tenantOf: (sessao) => sessao?.provedor.id ?? null,
      identify: (sessao) => ({ provedorId: sessao?.provedor.id ?? null, chave: sessao?.chave.nome ?? null }),
    }),
    settle: async (ctx, dito) =>
      countAtLast(ctx, dito, erros, async () => door.countNetwork(sourceIp(ctx.req, proxies))),
  });

  function medidaDe(
    ferramenta: string | null,
    servidor?: Servidor,
  ): { readonly method: 'POST'; readonly path: string } {
    const path = ferramenta !== null && servidor?.conhece(ferramenta) === true ? `#${ferramenta}` : '';
    const medida = medidas.get(path) ?? { method: 'POST', path };
    medidas.set(path, medida);
    return medida;
  }

  async function responder(ctx: Context, requestId: string): Promise<void> {
    const visto = seenOf<DoMcp>(ctx);
    visto.route = medidaDe(null);
    const ip = sourceIp(ctx.req, proxies);
    if (await answerCors(ctx, cors)) {
      const counted = await countPreflight(ip);
      ctx.set(limitHeaders(counted.limit));
      if (counted.exceeded) throw limited(erros.faults.limited, counted.limit);
      return;
    }
    // Streamable HTTP, "Security": a page that reached this server by rebinding a name is refused.
    const { origin } = ctx.req.headers;
    if (origin !== undefined && !(await origins(ctx.req, origin).catch(() => false)))
      throw recusar('origem_nao_permitida');
    const entrada = await door.enter(ctx.req, ip, () => undefined);
    ctx.set(limitHeaders(entrada.limit));
    if (!entrada.admitted) {
      const { refusal, limit } = entrada;
      throw refusal === erros.faults.limited ? limited(refusal, limit) : new Failure(refusal);
    }
    const { session, tagState } = entrada;
    visto.session = session;
    if (ctx.method !== 'POST') throw recusar('metodo_nao_permitido');
    if (ctx.querystring !== '') throw recusar('mensagem_invalida', 'Este endereço não leva consulta.');
    const mensagem = await lerMensagem(ctx);
    const servidor = await carregar();
    visto.route = medidaDe(chamadaEm(mensagem), servidor);
    const respondida = await servidor.responder(
      {
        session,
        since: tagState === null ? null : { era: tagState.era, bumps: tagState.bumps },
        requestId,
        mensagem,
        aoRecusar: (codigo) => {
          visto.code = codigo;
        },
      },
      Object.fromEntries(
        DO_PROTOCOLO.filter((nome) => ctx.get(nome) !== '').map((nome) => [nome, ctx.get(nome)] as const),
      ),
    );
    if (respondida.status >= 500) throw new Error(`the SDK answered ${respondida.status}`);
    ctx.status = respondida.status;
    if (respondida.tipo !== null) ctx.type = respondida.tipo;
    ctx.body = respondida.corpo;
  }

  const owns: Mcp['owns'] = ({ url = '' }) =>
    url.startsWith(ENDERECO) && /^(?:[?#]|$)/.test(url.slice(ENDERECO.length));

  return {
    owns,
    async middleware(ctx, next) {
      if (!owns(ctx.req)) await next();
      else await trocar(ctx, async (requestId) => responder(ctx, requestId));
    },
  };
}
