import type { Logger } from 'pino';
import type { KeySession } from '../../access/keys.ts';
import { createKeyPorts } from '../../access/ports.ts';
import type { KeyPortsDeps } from '../../access/ports.ts';
import type { Door } from '../../kit/http/door.ts';
import { createObservation } from '../../kit/http/observation.ts';
import { JSON_UTF8 } from '../../kit/reply/reply.ts';
import { createSurface } from '../../kit/http/surface.ts';
import type { Surface } from '../../kit/http/surface.ts';
import { VIEWER_PATTERN, VIEWER_POLICY, createViewer } from '../../kit/openapi/viewer.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { entrada } from './entrada.ts';
import { envelope } from './envelope.ts';
import { erros } from './erros.ts';
import type { CodigoErro } from './erros.ts';
import { BASE, gerarOpenApi } from './openapi.ts';
import type { DaApi, Rota } from './rota.ts';
import { ROTAS } from './rotas.ts';

interface PartesDeps extends KeyPortsDeps<DaApi> {
  /** The API's routes; tests add routes of their own. */
  readonly rotas?: readonly Rota[];
}

/** What runs the API's routes, however a request for one comes. */
export function createPartes({ rotas = ROTAS, ...deps }: PartesDeps) {
  return { base: BASE, routes: rotas, ports: createKeyPorts(deps), input: entrada, envelope, errors: erros };
}

export interface PublicApiDeps {
  readonly partes: ReturnType<typeof createPartes>;
  readonly door: Door<KeySession, CodigoErro>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** A line a request at `info` instead of `debug`. */
  readonly logRequests: boolean;
  /** Trusted proxies in front. */
  readonly proxies: number;
}

/** `/api/v1`. */
export function createPublicApi(deps: PublicApiDeps): Surface {
  const { partes, door, logger, metrics, logRequests, proxies } = deps;
  const documento = () => ({
    type: JSON_UTF8,
    content: Buffer.from(JSON.stringify(gerarOpenApi(partes.routes), null, 1)),
  });
  return createSurface<DaApi>({
    ...partes,
    door,
    pages: {
      find: createViewer('Malha · API pública v1', documento),
      pattern: VIEWER_PATTERN,
      policy: VIEWER_POLICY,
    },
    logger,
    observe: createObservation<DaApi>({
      metrics,
      logger,
      logRequests,
      base: BASE,
      tenantOf: (sessao) => sessao?.provedor.id ?? null,
      identify: (sessao) => ({ provedorId: sessao?.provedor.id ?? null, chave: sessao?.chave.nome ?? null }),
    }),
    proxies,
  });
}
