import type { Logger } from 'pino';
import type { KeySession } from '../../access/keys.ts';
import { createKeyPorts } from '../../access/ports.ts';
import type { PortsDeps } from '../../access/ports.ts';
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

export interface PublicApiDeps extends PortsDeps<DaApi> {
  readonly door: Door<KeySession, CodigoErro>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** A line a request at `info` instead of `debug`. */
  readonly logRequests: boolean;
  /** Trusted proxies in front. */
  readonly proxies: number;
  /** The API's routes; tests add routes of their own. */
  readonly rotas?: readonly Rota[];
}

/** `/api/v1`. */
export function createPublicApi(deps: PublicApiDeps): Surface {
  const { door, logger, metrics, logRequests, proxies, rotas = ROTAS } = deps;
  const documento = { type: JSON_UTF8, content: Buffer.from(JSON.stringify(gerarOpenApi(rotas), null, 1)) };
  return createSurface<DaApi>({
    base: BASE,
    routes: rotas,
    door,
    ports: createKeyPorts(deps),
    input: entrada,
    envelope,
    errors: erros,
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
      identify: (sessao) => ({ provedorId: sessao?.provedor.id ?? null, chave: sessao?.chave.nome ?? null }),
    }),
    proxies,
  });
}
