import { createAttempts } from '../../access/attempts.ts';
import { createDoor } from '../../access/door.ts';
import { rememberHosts } from '../../access/hosts.ts';
import { createKeys } from '../../access/keys.ts';
import { createOrigins } from '../../access/web/origins.ts';
import { createNetworkLimit } from '../../access/limits.ts';
import { hojeEm } from '../../brazil/calendario/datas.ts';
import { LIMITE_PADRAO } from '../../domain/chaves/chaves.types.ts';
import { createProvedoresLidos } from '../../domain/provedores/um-objeto.ts';
import type { ResponseCache } from '../../platform/cache/response-cache.ts';
import { untracked } from '../../platform/cache/trail.ts';
import { guardHeap } from '../../platform/process/heap.ts';
import { createCursors } from '../../platform/paging/cursors.ts';
import { repeat } from '../../platform/timing/repeater.ts';
import { createAppApi } from '../../surfaces/app-api/app-api.ts';
import type { Rota as RotaDoApp } from '../../surfaces/app-api/rota.ts';
import { createMcp } from '../../surfaces/mcp/mcp.ts';
import { createPaginas } from '../../surfaces/pages/paginas.ts';
import { recursosVisiveis } from '../../surfaces/panel/notificacoes/recursos.ts';
import { createCores } from '../../surfaces/panel/moldura/cores.ts';
import { createPainel } from '../../surfaces/panel/painel.ts';
import { criarCredencial, pode } from '../../surfaces/panel/sessao.ts';
import { createPsp } from '../../surfaces/psp/psp.ts';
import { createPartes, createPublicApi } from '../../surfaces/public-api/public-api.ts';
import type { Rota } from '../../surfaces/public-api/rota.ts';
import { composeAppDoor } from './app-door.ts';
import { createSurfaceServer } from './surface-server.ts';
import type { composeServices } from './domain.ts';
import type { composeTenants } from './tenants.ts';
import type { Platform } from './platform.ts';

/** Requests without a session that one network may make in a minute: a provider's people may all stand behind one address. */
const PANEL_NETWORK = 600;
/** Preflights of one network in a minute: subscribers share addresses, and a browser asks for each route before its first call. */
const PREFLIGHTS = 600;
/** Requests of one network in a minute to sign in and to refresh, of which each kind has a limit of its own besides; see attempts.ts. */
const AUTH_REQUESTS = 600;
/** How often the requests of each key are stored. A process that dies takes along what it has counted since. */
const USAGE_MS = 60_000;

export interface SurfacesDeps {
  readonly platform: Platform<Rota | RotaDoApp>;
  readonly services: ReturnType<typeof composeServices>;
  readonly tenants: ReturnType<typeof composeTenants>;
  /** Replaces the routes of the API, in tests of the kit. */
  readonly routes: readonly Rota[] | undefined;
  /** The same of `/v1`. */
  readonly appRoutes: readonly RotaDoApp[] | undefined;
}

/** Builds the surfaces and a server with all of them. Nothing is built before `createHttp` is called. */
export function composeSurfaces({ platform, services, tenants, routes, appRoutes }: SurfacesDeps) {
  const {
    config,
    relogio,
    logger,
    metrics,
    readiness,
    gate,
    documents,
    deadline,
    writeDeadline,
    cache,
    traffic,
    streams,
    tracing,
  } = platform;
  const { provedores, chaves, usoDasChaves, receptores, recebimentos, cobrancas, preCadastro, publicacao } = services;
  const { readTenant, writeTenant, changeTenant, onceForTenant } = tenants;
  let heapGuard: ReturnType<typeof guardHeap> | undefined;
  let usage: ReturnType<typeof repeat> | undefined;

  return {
    createHttp(): ReturnType<typeof createSurfaceServer> {
      // The data of a time zone is loaded at its first use, which would delay the requests of that moment.
      hojeEm('America/Sao_Paulo', relogio.agora());
      heapGuard ??= guardHeap(config.MALHA_CACHE_MB * 2 ** 20);
      usage ??= repeat(
        async () => {
          await usoDasChaves.gravar();
          return { more: false };
        },
        { intervalMs: USAGE_MS, onError: (error) => logger.warn({ err: error }, 'uso das chaves por gravar') },
      );
      const logRequests = config.MALHA_LOG_REQUISICOES === 'sim';
      const hosts = { idPorHost: async (host: string) => deadline.watch(provedores.idPorHost(host)) };
      const pages = createPaginas({
        preCadastro: {
          abrir: async (token) => deadline.watch(preCadastro.abrir(token)),
          registrar: async (...registration) => writeDeadline.watch(preCadastro.registrar(...registration)),
        },
        cobrancas: {
          abrir: async (token) => deadline.watch(cobrancas.abrir(token)),
          imprimir: async (token) => deadline.watch(cobrancas.imprimir(token)),
        },
        impressos: documents,
        hosts,
        gate,
        relogio,
        logger,
        metrics,
        logRequests,
        proxies: config.MALHA_PROXIES,
      });
      const psp = createPsp({
        receptores: { buscarPorSegredo: async (secret) => deadline.watch(receptores.buscarPorSegredo(secret)) },
        recebimentos: {
          registrar: async (...pix) => writeDeadline.watch(recebimentos.registrar(...pix)),
          recusar: async (...pix) => writeDeadline.watch(recebimentos.recusar(...pix)),
        },
        hosts,
        gate,
        logger,
        metrics,
        logRequests,
        proxies: config.MALHA_PROXIES,
      });
      // For all doors, which keep what they found.
      const lidos = createProvedoresLidos();
      // Built here, and not in processes without a server, because it reserves memory for all the keys that it may
      // know.
      const keys = createKeys({
        buscarPorHash: async (hash) => lidos.comUmSo(await deadline.watch(chaves.buscarPorHash(hash))),
        onUse: usoDasChaves.contar,
      });
      const knownHosts = rememberHosts(hosts);
      const ofDoors = {
        gate,
        hosts: knownHosts,
        countNetwork: createNetworkLimit({ gate, name: 'rede', most: LIMITE_PADRAO, onRefusal: metrics.refusal }),
        relogio,
        toldUntil: () => publicacao.publicadoAte,
        onRefusal: metrics.refusal,
      };
      const door = createDoor({ kind: keys, ...ofDoors });
      const attempts = createAttempts({
        gate,
        tries: platform.tries,
        onRefusal: metrics.refusal,
        onManyFailures: (...seen) => services.alertas.muitasFalhas(...seen),
      });
      const appDoor = composeAppDoor({
        ...ofDoors,
        keys,
        sessions: {
          buscarPorHash: async (hash) => lidos.comUmSo(await deadline.watch(services.app.buscarPorHash(hash))),
        },
        countAuth: createNetworkLimit({ gate, name: 'auth', most: AUTH_REQUESTS, onRefusal: metrics.refusal }),
        provedorPorId: async (id) => deadline.watch(provedores.buscarPorId(id)),
      });
      const cores = createCores({
        buscar: async (id) => (await deadline.watch(services.configuracao.buscar(id)))?.identidade.cor ?? null,
      });
      const painel = createPainel({
        door: createDoor({
          kind: criarCredencial({
            buscarPorHash: async (hash) => lidos.comUmSo(await deadline.watch(services.sessoes.buscarPorHash(hash))),
            proxies: config.MALHA_PROXIES,
          }),
          gate,
          hosts: rememberHosts(hosts),
          countNetwork: createNetworkLimit({ gate, name: 'painel', most: PANEL_NETWORK, onRefusal: metrics.refusal }),
          relogio,
          toldUntil: () => publicacao.publicadoAte,
          onRefusal: metrics.refusal,
        }),
        hosts,
        provedorPorId: async (id) => deadline.watch(provedores.buscarPorId(id)),
        corDe: cores.de,
        contadores: async ({ provedor, usuario, perfil, nome }) =>
          readTenant(provedor, untracked, { reader: nome, whole: false }, async (dominio) => {
            const recursos = recursosVisiveis({ perfil });
            const [chamados, naoLidas] = await Promise.all([
              pode({ perfil }, 'chamados.ver') ? dominio.filaDeChamados.abertos() : null,
              recursos.length === 0 ? null : dominio.sino.contar(usuario.id, recursos),
            ]);
            return { chamados, naoLidas };
          }),
        read: readTenant,
        change: changeTenant,
        servicos: {
          ...services,
          streams,
          configuracao: cores.esquecendo(services.configuracao),
          tentativas: attempts,
        },
        relogio,
        logger,
        metrics,
        logRequests,
        proxies: config.MALHA_PROXIES,
      });
      const origins = createOrigins({
        originsOf: async (host) => deadline.watch(services.configuracaoDoApp.origensPorHost(host)),
      });
      const countPreflight = createNetworkLimit({
        gate,
        name: 'preflight',
        most: PREFLIGHTS,
        onRefusal: metrics.refusal,
      });
      const appApi = createAppApi({
        door: appDoor,
        services: { app: services.app, webhooks: services.webhooks, push: services.push, attempts, relogio },
        read: readTenant,
        write: writeTenant,
        once: onceForTenant,
        // One memory for both: an answer is named by its address, so neither surface finds one of the other's.
        cache: cache as ResponseCache<RotaDoApp>,
        looks: platform.looks,
        cursors: createCursors({ secrets: platform.secrets, relogio }),
        origins,
        countPreflight,
        logger,
        metrics,
        logRequests,
        proxies: config.MALHA_PROXIES,
        ...(appRoutes === undefined ? {} : { rotas: appRoutes }),
      });
      const partes = createPartes({
        read: readTenant,
        write: writeTenant,
        cache: cache as ResponseCache<Rota>,
        looks: platform.looks,
        services: { attempts },
        ...(routes === undefined ? {} : { rotas: routes }),
      });
      const publicApi = createPublicApi({ partes, door, logger, metrics, logRequests, proxies: config.MALHA_PROXIES });
      const mcp = createMcp({
        api: partes,
        door,
        origins,
        countPreflight,
        logger,
        metrics,
        logRequests,
        proxies: config.MALHA_PROXIES,
      });
      return createSurfaceServer({
        tracing,
        pages,
        painel,
        psp,
        mcp,
        appApi,
        publicApi,
        readiness,
        logger,
        onRequest: traffic.note,
        maxConnections: config.MALHA_CONEXOES,
        onConnection: metrics.connection,
      });
    },

    /** Stores what was counted last, while the database can still be reached. */
    async close(): Promise<void> {
      heapGuard?.close();
      if (usage === undefined) return;
      await usage.stop();
      await usoDasChaves.gravar().catch((error: unknown) => logger.warn({ err: error }, 'uso das chaves perdido'));
    },
  };
}
