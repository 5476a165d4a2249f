import Koa from 'koa';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { createChamadosService } from './domain/chamados/chamados.service.ts';
import { createChavesService } from './domain/chaves/chaves.service.ts';
import type { ChavesService } from './domain/chaves/chaves.service.ts';
import { createClientesService } from './domain/clientes/clientes.service.ts';
import { createConexoesService } from './domain/conexoes/conexoes.service.ts';
import { createContratosService } from './domain/contratos/contratos.service.ts';
import type { Dominio } from './domain/dominio.ts';
import { createFaturasService } from './domain/faturas/faturas.service.ts';
import { createPlanosService } from './domain/planos/planos.service.ts';
import { createProvedoresService } from './domain/provedores/provedores.service.ts';
import type { ProvedoresService } from './domain/provedores/provedores.service.ts';
import type { Provedor } from './domain/provedores/provedores.types.ts';
import type { Config } from './platform/config.ts';
import { createDatabase } from './platform/database.ts';
import type { Db } from './platform/database.ts';
import { createGate } from './platform/gate/gate.ts';
import { createHttpServer } from './platform/http/server.ts';
import { createRedis } from './platform/redis.ts';
import type { Relogio } from './platform/relogio.ts';
import { createTenantDb } from './platform/tenant.ts';
import { createPorta } from './surfaces/public-api/porta.ts';
import { createPublicApi } from './surfaces/public-api/public-api.ts';
import type { Rota } from './surfaces/public-api/rota.ts';

export interface ContainerDeps {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly relogio: Relogio;
  /** Routes instead of the API's own; for tests of the guard. */
  readonly rotas?: readonly Rota[];
}

export interface Container {
  readonly logger: Logger;
  readonly db: Db;
  readonly chaves: ChavesService;
  readonly provedores: ProvedoresService;
  readonly dominioDe: (provedor: Provedor) => Dominio;
  /** An HTTP server with every surface on it; it does not listen yet. */
  createHttp(): ReturnType<typeof createHttpServer>;
  /** Resolves when Redis answers, rejects when it does not within two seconds. */
  redisReady(): Promise<void>;
  close(): Promise<void>;
}

/** Builds everything out of the settings. Nothing else builds. */
export function createContainer({ config, databaseUrl, redisUrl, relogio, rotas }: ContainerDeps): Container {
  const logger = pino({ level: config.MALHA_LOG, base: null });
  const db = createDatabase({ url: databaseUrl, pool: config.MALHA_POOL });
  const redis = createRedis(redisUrl, 'gate', (error) => logger.debug({ err: error }, 'redis'));
  const gate = createGate({
    redis,
    onMode(modo, error) {
      if (modo === 'local') logger.warn({ err: error }, 'Redis fora: limites por processo, chaves lidas do banco');
      else logger.info('Redis de volta');
    },
  });
  const intervaloPadraoSegundos = config.MALHA_INTERVALO_RADIUS;
  const provedores = createProvedoresService({ db });
  const chaves = createChavesService({ db, relogio, gate });

  function dominioDe(provedor: Provedor): Dominio {
    const tenant = createTenantDb(db, provedor.id);
    const contratos = createContratosService({ tenant, relogio, intervaloPadraoSegundos });
    return {
      contratos,
      clientes: createClientesService({ tenant, contratos }),
      conexoes: createConexoesService({ db, provedor, relogio, intervaloPadraoSegundos }),
      faturas: createFaturasService({ tenant, provedor, relogio }),
      chamados: createChamadosService({ tenant }),
      planos: createPlanosService({ tenant }),
    };
  }

  return {
    logger,
    db,
    chaves,
    provedores,
    dominioDe,

    createHttp() {
      const porta = createPorta({ gate, chaves, provedores, relogio });
      const publicApi = createPublicApi({
        porta,
        dominioDe,
        logger,
        proxies: config.MALHA_PROXIES,
        ...(rotas === undefined ? {} : { rotas }),
      });
      const app = new Koa();
      app.use(publicApi.middleware);
      app.on('error', (error: Error) => logger.error({ err: error }, 'falha ao responder'));
      const responder = app.callback();
      return createHttpServer({
        handler: (request, response) => void responder(request, response),
        onMalformed: publicApi.recusarMalformada,
      });
    },

    async redisReady() {
      if (redis.status === 'ready') return;
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('O Redis não respondeu em 2 s.')), 2000);
        redis.once('ready', () => {
          clearTimeout(timer);
          resolve();
        });
      });
    },

    async close() {
      redis.disconnect();
      await db.destroy();
    },
  };
}
