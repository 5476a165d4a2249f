import type { DestinationStream } from 'pino';
import { createStreams } from '../../kit/live/sse.ts';
import { AVISOS_DE_SEGURANCA } from '../../domain/acessos/avisos/seguranca.service.ts';
import { REGUA_POR_EMAIL } from '../../domain/regua/correio.service.ts';
import { SEGUNDAS_VIAS_POR_EMAIL } from '../../domain/faturas/envio/correio.service.ts';
import { RAROS } from '../../domain/eventos/ao-vivo.regras.ts';
import { createCnab } from '../../domain/boletos/cnab.ts';
import { createEscrita } from '../../domain/escrita.ts';
import { createResponseCache } from '../../platform/cache/response-cache.ts';
import { METRICS_OFFSET } from '../../platform/config.ts';
import { networksOf } from '../../platform/networks.ts';
import type { Config } from '../../platform/config.ts';
import { createOutbound } from '../../platform/http/outbound/outbound.ts';
import type { OutboundDeps } from '../../platform/http/outbound/outbound.ts';
import { createNameResolver, createOwnEndpoints } from '../../platform/http/outbound/resolving.ts';
import { createDemand } from '../../platform/gate/demand.ts';
import { createGate } from '../../platform/gate/gate.ts';
import { createLiveHub } from '../../platform/live/hub.ts';
import { createLivePublisher } from '../../platform/live/publisher.ts';
import { createLogger } from '../../platform/logger.ts';
import { createPortes } from '../../domain/provedores/portes.ts';
import { createMetrics } from '../../platform/metrics/metrics.ts';
import type { Role } from '../../platform/metrics/metrics.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { createCorreio } from '../../platform/mail/mail.ts';
import { createDatabase } from '../../platform/mysql/database.ts';
import { BILLING_ASKED_FOR, IMPORTS_ASKED_FOR } from './asked-for.ts';
import { AO_MESMO_TEMPO } from '../../domain/usuarios/senha/resumos.service.ts';
import { CONSUMIDOR as WEBHOOKS } from '../../domain/webhooks/mensagens/mensagens.service.ts';
import { CONSUMIDOR_DE_PUSH } from '../../domain/push/mensagens/consumo.service.ts';
import { createReplica } from '../../platform/mysql/replica.ts';
import { createLooks } from '../../platform/gate/looks.ts';
import { createTries } from '../../platform/gate/tries.ts';
import { createPageWalks } from '../../platform/paging/page-walks.ts';
import { createReadiness } from '../../platform/process/readiness.ts';
import type { Tracing } from '../../platform/tracing/tracing.types.ts';
import { createTraffic } from '../../platform/process/traffic.ts';
import { createRedis, endRedis, whenReady } from '../../platform/redis/redis.ts';
import { masterKeys } from '../../platform/secrets/master-key.ts';
import { createSecrets } from '../../platform/secrets/secrets.ts';
import { openExtractStore } from '../../platform/storage/open.ts';
import { createRenderings } from '../../platform/threads/renderings.ts';
import { createThreads } from '../../platform/threads/threads.ts';
import { createDeadline } from '../../platform/timing/deadline.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';

/**
 * A read that MySQL does not answer within this time has failed: an error is better than a caller who waits for ever.
 */
const READ_DEADLINE_MS = 3000;

/** The same for a list that a program reads whole. Counting millions of rows that are not in memory takes seconds. */
const LIST_DEADLINE_MS = 14_000;

/**
 * The same for a write, which may wait for locks. A write that failed in this way may still be committed afterwards.
 */
const WRITE_DEADLINE_MS = 10_000;

/** The most bytes of printed documents that are kept, and the longest that making one may take (usually 10 to 20 ms). */
const DOCUMENTS = { maxBytes: 12 * 2 ** 20, maxMs: 15_000 };

const COMMAND_DEADLINE_MS = 2000;

export interface PlatformDeps {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly relogio: Relogio;
  /** What its metrics say that the process is there for; absent: it answers requests. */
  readonly roles?: readonly Role[];
  /** Null, or absent, where nothing is traced. The caller closes it. */
  readonly tracing?: Tracing | null;
  /** Receives the log lines instead of stdout. Commands and tests set it. */
  readonly logDestination?: DestinationStream;
  /** Whether Redis may be late before it counts as away: for commands, for whose answer nobody holds the line, and in tests of something else. */
  readonly patient?: boolean;
  /** Replaces the folder of the service's threads, in tests. */
  readonly threadsFolder?: URL;
  /** Whom the way out trusts and asks for names, in tests. */
  readonly outboundDeps?: Partial<Pick<OutboundDeps, 'ca' | 'resolve' | 'patience'>>;
}

export type Platform<Meta> = ReturnType<typeof composePlatform<Meta>>;

/** Opens the connections, and builds the machinery on them. `Meta` is what the cache stores beside an answer. */
export function composePlatform<Meta>(deps: PlatformDeps) {
  const { config, databaseUrl, redisUrl, relogio, logDestination, threadsFolder, outboundDeps, tracing = null } = deps;
  const { roles = ['api'], patient = false } = deps;
  const logger = createLogger(config, logDestination);
  const db = createDatabase({ url: databaseUrl, pool: config.MALHA_POOL, announces: true });
  const numbering = createDatabase({ url: databaseUrl, pool: 1 });
  const redis = createRedis(redisUrl, 'gate', (error) => logger.debug({ err: error }, 'redis'));
  const portes = createPortes(db);
  const tenants = { classOf: (id: number) => portes.de(id), refresh: async () => portes.atualizar() };
  const readiness = createReadiness({ db, mode: () => gate.mode });
  const database = async () => (await readiness()).banco;
  const measured = createMetrics({ db, roles, tenants, cacheSize: () => cache.size, database });
  const metrics = tracing === null ? measured : namingSpans(measured, tracing);
  tracing?.watchQueries(db);
  const demand = createDemand({ redis });
  const gate = createGate({
    redis,
    onAnswer: metrics.redis,
    onAdmit: demand.note,
    ...(patient && { deadlineMs: COMMAND_DEADLINE_MS }),
    onMode(now, error, servidor) {
      metrics.mode(now, gate.mode);
      if (now === 'local')
        logger.warn({ err: error, servidor }, 'Redis fora: limites por processo, leituras direto do banco');
      else {
        logger.info({ servidor }, 'Redis de volta');
        live.resumed();
      }
    },
  });
  const live = createLiveHub({
    connect: () => createRedis(redisUrl, 'live', (error) => logger.debug({ err: error }, 'redis ao vivo')),
    isRedisAway: () => gate.mode === 'local',
    seldom: RAROS,
    onError: (error) => logger.debug({ err: error }, 'ao vivo'),
  });
  const livePublisher = createLivePublisher(redis);
  const write = createEscrita({
    db,
    gate,
    consumers: [
      IMPORTS_ASKED_FOR,
      BILLING_ASKED_FOR,
      AVISOS_DE_SEGURANCA,
      SEGUNDAS_VIAS_POR_EMAIL,
      REGUA_POR_EMAIL,
      WEBHOOKS,
      CONSUMIDOR_DE_PUSH,
    ],
    onUnconfirmed: (provedorId) => logger.warn({ provedorId }, 'escrita respondida sem confirmação do Redis'),
  });
  const threads = createThreads({ maxThreads: 1, ...(threadsFolder === undefined ? {} : { folder: threadsFolder }) });
  // A table of an extract occupies its thread until it is written. Boletos have another pool, so they do not wait for
  // it.
  const extractThreads = createThreads({ maxThreads: 1 });
  // A bank's file takes some seconds, and whoever prints does not wait for it; what banks send is read apart from what
  // is written for them.
  const bankThreads = createThreads({ maxThreads: 1 });
  const bankReadingThreads = createThreads({ maxThreads: 1 });
  // Whoever signs in waits for neither.
  const passwordThreads = createThreads({ maxThreads: AO_MESMO_TEMPO });
  const deadline = createDeadline(READ_DEADLINE_MS);
  const writeDeadline = createDeadline(WRITE_DEADLINE_MS);
  const listDeadline = createDeadline(LIST_DEADLINE_MS);
  const walks = createPageWalks({ redis, gate });
  const tries = createTries({ redis, gate });
  const looks = createLooks({ redis, gate });
  const correio = createCorreio({ url: config.MALHA_SMTP_URL, de: config.MALHA_EMAIL_DE, logger });
  const { DATABASE_REPLICA_URL: replicaUrl } = config;
  const replica = createReplica({
    primary: db,
    replica: replicaUrl === undefined ? null : createDatabase({ url: replicaUrl, pool: config.MALHA_POOL }),
    maxLagMs: config.MALHA_ATRASO_REPLICA * 1000,
    onState(state, lagMs, error) {
      if (state === 'used') logger.info({ atrasoMs: lagMs }, 'réplica em uso');
      else logger.warn({ atrasoMs: lagMs, err: error }, 'réplica fora de uso: não responde ou está atrasada');
    },
    onFailure: (error) => logger.warn({ err: error }, 'a réplica falhou numa lista, que é lida no banco'),
  });
  const outbound = createOutbound({
    rules: {
      allowHttp: config.MALHA_WEBHOOKS_HTTP === 'sim',
      forbidden: networksOf(config.MALHA_REDES_PROIBIDAS),
      permitted: networksOf(config.MALHA_REDES_PERMITIDAS),
    },
    resolve: createNameResolver(),
    own: createOwnEndpoints(
      [databaseUrl, redisUrl, replicaUrl, config.QUEUE_REDIS_URL, config.MALHA_S3_ENDPOINT].filter(
        (url) => url !== undefined,
      ),
      [config.PORT, config.MALHA_METRICS_PORT ?? config.PORT + METRICS_OFFSET],
    ),
    ...outboundDeps,
  });
  const cache = createResponseCache<Meta>({
    gate,
    relogio,
    maxBytes: config.MALHA_CACHE_MB * 2 ** 20,
    onEvent: metrics.cache,
  });

  return {
    config,
    relogio,
    logger,
    tracing,
    db,
    /** One connection, which no write holds while it waits for a number. */
    numbering,
    metrics,
    readiness,
    gate,
    write,
    /** Hears what is published to the open panels of a provider. */
    live,
    livePublisher,
    /** The open panels of this process. */
    streams: createStreams({ hub: live }),
    threads,
    documents: createRenderings({ threads, ...DOCUMENTS }),
    extractThreads,
    passwordThreads,
    /** Writes and reads files of banks. */
    cnab: createCnab(bankThreads, bankReadingThreads),
    /** Where extracts are kept. */
    store: openExtractStore(config),
    correio,
    /** The one way to call addresses that tenants type. */
    outbound,
    secrets: createSecrets(() => masterKeys(config)),
    deadline,
    listDeadline,
    writeDeadline,
    walks,
    /** Counts what is guessed at. */
    tries,
    looks,
    replica,
    cache,
    traffic: createTraffic(),
    /** Knows whether a provider is asked much at the moment, also by other processes. */
    demand,
    /** Whether the gate counts by itself, because Redis does not answer. */
    isRedisAway: () => gate.mode === 'local',

    /** Resolves when Redis answers; rejects as `whenReady` does. */
    redisReady: async (): Promise<void> => whenReady(redis, 'O Redis não respondeu'),

    async close(): Promise<void> {
      metrics.close();
      gate.close();
      demand.close();
      live.close();
      livePublisher.close();
      deadline.close();
      walks.close();
      tries.close();
      looks.close();
      correio.close();
      outbound.close();
      writeDeadline.close();
      listDeadline.close();
      endRedis(redis);
      const pools = [threads, extractThreads, passwordThreads, bankThreads, bankReadingThreads];
      await Promise.all(pools.map(async (pool) => pool.close()));
      await replica.close();
      await numbering.destroy();
      await db.destroy();
    },
  };
}

/** A span is named by what a request is measured by: the pattern of its route. */
function namingSpans(metrics: Metrics, tracing: Tracing): Metrics {
  return {
    ...metrics,
    request(route, status, ms) {
      tracing.answered(route);
      metrics.request(route, status, ms);
    },
  };
}
