import type { Logger } from 'pino';
import { createAppPorts } from '../../access/app-ports.ts';
import type { AppServices } from '../../access/app-ports.ts';
import { barOf, proibeEditar } from '../../access/callers.ts';
import type { AppSession, Who } from '../../access/callers.ts';
import type { OnceForTenant } from '../../access/contracts.ts';
import type { PortsDeps } from '../../access/ports.ts';
import type { CorsRules } from '../../kit/browsers/cors.ts';
import type { Counted, Door } from '../../kit/http/door.ts';
import { createObservation } from '../../kit/http/observation.ts';
import { createSurface } from '../../kit/http/surface.ts';
import type { Surface } from '../../kit/http/surface.ts';
import { VIEWER_PATTERN, VIEWER_POLICY, createViewer } from '../../kit/openapi/viewer.ts';
import { Failure, faultIn } from '../../kit/reply/failure.ts';
import { JSON_UTF8 } from '../../kit/reply/reply.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { PlaceCursors } from '../../platform/paging/cursors.ts';
import { entrada } from './entrada.ts';
import { envelope } from './envelope.ts';
import { ERROS, erros } from './erros.ts';
import type { CodigoErro } from './erros.ts';
import { gerarOpenApi } from './openapi.ts';
import { BASE } from './rota.ts';
import type { DoApp, Rota } from './rota.ts';
import { ROTAS } from './rotas.ts';

export interface AppApiDeps extends PortsDeps<DoApp> {
  readonly door: Door<AppSession, CodigoErro>;
  readonly services: AppServices;
  readonly once: OnceForTenant;
  readonly cursors: PlaceCursors;
  /** Of which origins pages may call. */
  readonly origins: CorsRules['allows'];
  /** Counts preflights, which no credential answers for. */
  readonly countPreflight: (ip: string) => Promise<Counted>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** A line a request at `info` instead of `debug`. */
  readonly logRequests: boolean;
  /** Trusted proxies in front. */
  readonly proxies: number;
  /** The surface's routes; tests add routes of their own. */
  readonly rotas?: readonly Rota[];
}

/** What pages of the provider's own web app may do. */
const CORS = {
  methods: ['GET', 'POST', 'PUT', 'DELETE'],
  requestHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'If-Match', 'X-Panel-Host'],
  responseHeaders: [
    'ETag',
    'Location',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'WWW-Authenticate',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-Request-Id',
  ],
  maxAgeSeconds: 600,
} as const;

const foraDaLista = (): Failure<CodigoErro> => {
  const { message } = ERROS.cursor_invalido;
  return new Failure('cursor_invalido', message, {}, [faultIn('cursor', 'cursor_invalido', message)]);
};

/** Whoever has something to do first is told that, and a key which scope it lacks. */
function semPermissao(session: AppSession, who: Who): Failure<CodigoErro> {
  const antes = barOf(session, who);
  if (antes !== null) return new Failure(antes);
  if (session.kind === 'cliente' && who.cliente === true && proibeEditar(session, who)) {
    return new Failure('permissao_insuficiente', 'O provedor não deixa mudar o cadastro pelo app.');
  }
  const { chave } = who;
  return new Failure(
    'permissao_insuficiente',
    session.kind === 'chave' && chave !== undefined ? `Esta rota exige a permissão ${chave}.` : '',
  );
}

/** A subscriber's place in a list is of no use to another. */
const listaDe = (session: AppSession, scope: string): string =>
  session.kind === 'cliente' ? `${session.quem.cpfCnpj} ${scope}` : scope;

/** `/v1`: subscribers' app, staff's app and integrations. */
export function createAppApi(deps: AppApiDeps): Surface {
  const { door, cursors, origins, countPreflight, logger, metrics, logRequests, proxies, rotas = ROTAS } = deps;
  const documento = () => ({
    type: JSON_UTF8,
    content: Buffer.from(JSON.stringify(gerarOpenApi(rotas), null, 1)),
  });
  return createSurface<DoApp>({
    base: BASE,
    routes: rotas,
    door,
    ports: { ...createAppPorts(deps), lacking: semPermissao },
    input: entrada,
    envelope,
    errors: erros,
    cursors: {
      open(session, scope, text) {
        const opened = cursors.open(session.provedor.id, listaDe(session, scope), text);
        if (opened === null) throw foraDaLista();
        return opened;
      },
      seal: (session, scope, place) => cursors.seal(session.provedor.id, listaDe(session, scope), place),
    },
    cors: { ...CORS, allows: origins, count: countPreflight },
    pages: {
      find: createViewer('Malha · API do aplicativo v1', documento),
      pattern: VIEWER_PATTERN,
      policy: VIEWER_POLICY,
    },
    logger,
    observe: createObservation<DoApp>({
      metrics,
      logger,
      logRequests,
      base: BASE,
      tenantOf: (session) => session?.provedor.id ?? null,
      identify: (session) => ({
        provedorId: session?.provedor.id ?? null,
        chave: session?.kind === 'chave' ? session.chave.nome : null,
      }),
    }),
    proxies,
  });
}
