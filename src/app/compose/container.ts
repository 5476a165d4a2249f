import type { Rota } from '../../surfaces/public-api/rota.ts';
import type { Container, ContainerDeps } from './container.types.ts';
import { composeServices, composeTenants } from './domain.ts';
import { composePlatform } from './platform.ts';
import { startRelayBesideRequests } from './relay.ts';
import { composeSurfaces } from './surfaces.ts';

export type { Container, ContainerDeps } from './container.types.ts';

/** Builds everything out of the settings, of the API, the worker and the commands alike. Nothing else builds. */
export function createContainer({ rotas, ...deps }: ContainerDeps): Container {
  const platform = composePlatform<Rota>(deps);
  const services = composeServices(platform);
  const tenants = composeTenants(platform);
  const surfaces = composeSurfaces({ platform, services, tenants, rotas });
  const { config, logger, db, relogio, write, consumers, cache, metrics, readiness } = platform;

  return {
    ...services,
    ...tenants,
    logger,
    db,
    write,
    cache,
    metrics,
    readiness,
    createHttp: () => surfaces.createHttp(),

    async startWorker(options) {
      // Loaded by whom it is for: the queues bring some megabytes of packages.
      const { startWorker } = await import('./worker.ts');
      const { publicacao, tarefas, extratos } = services;
      const intervaloPadraoSegundos = config.MALHA_INTERVALO_RADIUS;
      return startWorker({
        db,
        write,
        logger,
        relogio,
        publicacao,
        consumidores: consumers,
        tarefas,
        extratos,
        intervaloPadraoSegundos,
        ...options,
      });
    },

    startRelay: () => startRelayBesideRequests({ publicacao: services.publicacao, logger }),
    redisReady: async () => platform.redisReady(),

    async close() {
      surfaces.close();
      await platform.close();
    },
  };
}
