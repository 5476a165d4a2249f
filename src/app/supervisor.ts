import cluster from 'node:cluster';
import { realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createContainer } from './compose/container.ts';
import { localAddress, openOperatorPort } from './operator-port.ts';
import { offerDemonstration } from './demonstration.ts';
import { STOP, requireMasterKey, warnOfRules, startRoles, freePort } from './roles.ts';
import { openServers } from './servers.ts';
import type { Config } from '../platform/config.ts';
import { createDatabase } from '../platform/mysql/database.ts';
import { drain } from '../platform/http/drain.ts';
import { listen } from '../platform/http/server.ts';
import { createLogger } from '../platform/logger.ts';
import { createAggregate } from '../platform/metrics/snapshot.ts';
import type { Snapshot } from '../platform/metrics/snapshot.ts';
import { createProcessMember } from '../platform/process/member.ts';
import type { StopRequest } from '../platform/process/member.ts';
import { createProcesses } from '../platform/process/processes.ts';
import type { Processes } from '../platform/process/processes.ts';
import type { Readiness } from '../platform/process/readiness.ts';
import { startTracing } from '../platform/tracing/tracing.ts';
import { relogioDoSistema } from '../platform/timing/relogio.ts';
import { createShutdown } from '../platform/process/shutdown.ts';

const CLI = fileURLToPath(new URL('../cli.js', import.meta.url));

/**
 * What further processes run: the program by the name by which it was started. Where that is a link to a release, they are of the
 * release to which it leads by then.
 */
function programPath(): string {
  const [, started = CLI] = process.argv;
  return realpathSync(started) === CLI ? started : CLI;
}

export interface ServeOptions {
  readonly config: Config;
  readonly print: (line: string) => void;
}

/**
 * Serves the API. In production, or when `MALHA_PROCESSOS` is set, it does so with several processes. This one is then
 * the primary: it prepares the servers and the schema once, accepts connections, and answers no request itself. In all
 * other cases this process serves alone.
 */
export async function serve({ config, print }: ServeOptions): Promise<void> {
  if (cluster.isWorker) return answerRequests(config, print);
  const inProduction = config.NODE_ENV === 'production' ? availableParallelism() : undefined;
  const count = config.MALHA_PROCESSOS ?? inProduction;
  if (count === undefined) return startRoles({ config, roles: ['api'], print });
  return supervise(config, count, print);
}

async function supervise(config: Config, count: number, print: (line: string) => void): Promise<void> {
  const { HOST, PORT } = config;
  const shutdown = createShutdown(print);
  try {
    const port = await freePort(PORT, HOST);
    const servers = await openServers({
      config,
      attach: false,
      print,
      onStop: (stop) => shutdown.onStop(stop),
      onExit: () => void shutdown.stop(1),
    });
    const url = `http://${localAddress(HOST)}:${port}`;
    const demonstrationLines = await prepare(config, servers, url, print);

    const aggregate = createAggregate();
    const processes = createProcesses({
      exec: programPath(),
      args: ['serve'],
      env: { PORT: String(port), DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl },
      count,
      log: print,
      onGone: (id, words) => aggregate.retire(id, words as Snapshot | undefined),
    });
    shutdown.onStop(() => processes.stop(STOP));
    await processes.start();
    process.on('SIGUSR2', () => void processes.restart());

    // Used only for the metrics of the queues. It connects when they are first asked for.
    const db = createDatabase({ url: servers.databaseUrl, pool: 1 });
    shutdown.onStop(() => db.destroy());
    await openOperatorPort({
      config,
      servicePort: port,
      redisUrl: config.QUEUE_REDIS_URL ?? servers.redisUrl,
      db,
      logger: createLogger(config),
      relogio: relogioDoSistema,
      async metrics(queueMetrics) {
        for (const { id, answer } of await processes.ask('metrics')) aggregate.update(id, answer as Snapshot);
        return aggregate.text(queueMetrics);
      },
      readiness: async () => readinessOf(processes),
      shutdown,
      print,
    });
    print(`Malha em ${url} (processos: ${count}) — documentação em ${url}/api/v1/docs`);
    for (const line of demonstrationLines) print(line);
  } catch (error) {
    await shutdown.undo();
    throw error;
  }
}

/** Does once what is needed for all processes. */
async function prepare(
  config: Config,
  servers: { databaseUrl: string; ownerUrl: string; redisUrl: string },
  url: string,
  print: (line: string) => void,
): Promise<string[]> {
  const container = createContainer({ config, ...servers, relogio: relogioDoSistema });
  try {
    await container.redisReady();
    await warnOfRules(container);
    await requireMasterKey(config, container);
    return await offerDemonstration(config, container, servers.ownerUrl, url, print);
  } finally {
    await container.close();
  }
}

const BEST_FIRST = ['ok', 'so_leitura'] as const;

/** The service is ready when at least one process is ready, and degraded when at least one is degraded. */
async function readinessOf(processes: Processes): Promise<Readiness & { processos: number }> {
  const answers = (await processes.ask('readiness')).map(({ answer }) => answer as Readiness);
  return {
    pronto: answers.some(({ pronto }) => pronto),
    degradado: answers.length === 0 || answers.some(({ degradado }) => degradado),
    banco: BEST_FIRST.find((state) => answers.some(({ banco }) => banco === state)) ?? 'fora',
    redis: answers.some(({ redis }) => redis === 'ok') ? 'ok' : 'fora',
    processos: answers.length,
  };
}

/** Runs one of the processes: it answers requests until its primary tells it to stop. */
async function answerRequests(config: Config, print: (line: string) => void): Promise<void> {
  const { DATABASE_URL: databaseUrl = '', REDIS_URL: redisUrl = '' } = config;
  // A Ctrl-C reaches all processes of the group. They ignore it, because the primary decides the order of the stop.
  const shutdown = createShutdown(print, { signals: ['SIGTERM'] });
  process.on('SIGUSR2', () => {});
  let stopRequest: StopRequest = STOP;
  const tracing = await startTracing(config, 'api');
  shutdown.onStop(async () => tracing?.close());
  const container = createContainer({ config, databaseUrl, redisUrl, tracing, relogio: relogioDoSistema });
  shutdown.onStop(() => container.close());
  const member = createProcessMember({
    answers: { metrics: container.metrics.snapshot, readiness: container.readiness },
    onStop(how) {
      stopRequest = how;
      void shutdown.stop(0);
    },
  });
  // A process that replaces another one must also start while Redis is away.
  await container.redisReady().catch((error: unknown) => container.logger.warn({ err: error }, 'início sem Redis'));
  const server = container.createHttp();
  await listen(server, config.PORT, config.HOST);
  const relay = container.startRelay();
  shutdown.onStop(() => relay.stop());
  shutdown.onStop(async () => {
    let closing: Promise<void> | undefined;
    const onUnlistened = (): void => {
      closing = member.closed();
    };
    container.streams.drain();
    await drain(server, { ...stopRequest, onUnlistened });
    await closing;
    await member.farewell(await container.metrics.snapshot());
  });
  member.ready();
}
