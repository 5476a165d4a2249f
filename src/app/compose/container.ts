import type { Rota as RotaDoApp } from '../../surfaces/app-api/rota.ts';
import type { Rota } from '../../surfaces/public-api/rota.ts';
import type { Container, ContainerDeps } from './container.types.ts';
import { composeServices } from './domain.ts';
import { composeTenants } from './tenants.ts';
import { composePlatform } from './platform.ts';
import { createPushConsumer, createWebhooksConsumer } from './deliveries.ts';
import { startRelayBesideRequests } from './relay.ts';
import { composeSurfaces } from './surfaces.ts';

export type { Container, ContainerDeps } from './container.types.ts';

/** Builds everything from the settings, for the API, the worker and the commands. Nothing is built anywhere else. */
export function createContainer({ routes, appRoutes, ...deps }: ContainerDeps): Container {
  const platform = composePlatform<Rota | RotaDoApp>(deps);
  const services = composeServices(platform);
  const tenants = composeTenants(platform, services.push);
  const surfaces = composeSurfaces({ platform, services, tenants, routes, appRoutes });
  const { config, logger, db, relogio, write, cache, metrics, readiness, live, streams } = platform;

  return {
    ...services,
    ...tenants,
    logger,
    db,
    write,
    cache,
    metrics,
    readiness,
    live,
    streams,
    createHttp: () => surfaces.createHttp(),

    async startWorker(options) {
      // Imported here, so that processes without a worker do not load the packages of the queues (some megabytes).
      const { startWorker } = await import('./worker.ts');
      const { consumoDePush, entregasDePush, entregasDeCorreio, envioNfcom, lembretes, avisosDeCertificado } = services;
      const { envioAoPsp, cobrancasPix, avisosDoPsp, devolucoesAoPsp } = services;
      const { publicacao, tarefas, extratos, palavras, execucaoDeImportacoes, arquivosDeRetorno, mensagens, entregas } =
        services;
      const intervaloPadraoSegundos = config.MALHA_INTERVALO_RADIUS;
      return startWorker({
        db,
        tracing: platform.tracing,
        write,
        logger,
        relogio,
        publicacao,
        consumers: [
          services.avisosDeSeguranca,
          services.correioDeFaturas,
          services.correioDaRegua,
          createWebhooksConsumer(mensagens),
          createPushConsumer(consumoDePush),
        ],
        entregas,
        entregasDePush,
        entregasDeCorreio,
        envioNfcom,
        envioAoPsp,
        cobrancasPix,
        avisosDoPsp,
        devolucoesAoPsp,
        lembretes,
        avisosDeCertificado,
        tarefas,
        extratos,
        palavras,
        execucaoDeImportacoes,
        execucaoDoFaturamento: services.execucaoDoFaturamento,
        arquivosDeRetorno,
        intervaloPadraoSegundos,
        ...options,
      });
    },

    permitOutbound: (server) => platform.outbound.permit(server),
    startRelay: () =>
      startRelayBesideRequests({
        publicacao: services.publicacao,
        logger,
        isRedisAway: () => platform.isRedisAway(),
      }),
    redisReady: async () => platform.redisReady(),

    async close() {
      streams.drain();
      await surfaces.close();
      await platform.close();
    },
  };
}
