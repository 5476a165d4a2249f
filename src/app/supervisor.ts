import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createContainer } from './compose/container.ts';
import { localAddress, openOperatorPort } from './operator-port.ts';
import { offerDemonstration } from './demonstration.ts';
import { STOP, warnOfRules, startRoles, freePort } from './roles.ts';
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
import { relogioDoSistema } from '../platform/timing/relogio.ts';
import { createShutdown } from '../platform/process/shutdown.ts';

const CLI = fileURLToPath(new URL('../cli.js', import.meta.url));

export interface ServeOptions {
  readonly config: Config;
  readonly escrever: (linha: string) => void;
}

/**
 * Serves the API: in this process alone, or, where `MALHA_PROCESSOS` says a number and in production, in processes of which this
 * one is the primary: it prepares the servers and the schema once, accepts connections, and answers no request itself.
 */
export async function serve({ config, escrever }: ServeOptions): Promise<void> {
  if (cluster.isWorker) return atender(config, escrever);
  const producao = config.NODE_ENV === 'production' ? availableParallelism() : undefined;
  const processos = config.MALHA_PROCESSOS ?? producao;
  if (processos === undefined) return startRoles({ config, papeis: ['api'], escrever });
  return supervisionar(config, processos, escrever);
}

async function supervisionar(config: Config, count: number, escrever: (linha: string) => void): Promise<void> {
  const { HOST, PORT } = config;
  const shutdown = createShutdown(escrever);
  try {
    const port = await freePort(PORT, HOST);
    const servers = await openServers({
      config,
      attach: false,
      escrever,
      onStop: (stop) => shutdown.onStop(stop),
      onExit: () => void shutdown.stop(1),
    });
    const url = `http://${localAddress(HOST)}:${port}`;
    const demonstracao = await preparar(config, servers, url, escrever);

    const metricas = createAggregate();
    const processos = createProcesses({
      exec: CLI,
      args: ['serve'],
      env: { PORT: String(port), DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl },
      count,
      log: escrever,
      onGone: (id, words) => metricas.retire(id, words as Snapshot | undefined),
    });
    shutdown.onStop(() => processos.stop(STOP));
    await processos.start();
    process.on('SIGUSR2', () => void processos.restart());

    // For the queues' numbers alone; opened when they are first asked for.
    const db = createDatabase({ url: servers.databaseUrl, pool: 1 });
    shutdown.onStop(() => db.destroy());
    await openOperatorPort({
      config,
      servico: port,
      redisUrl: config.QUEUE_REDIS_URL ?? servers.redisUrl,
      db,
      logger: createLogger(config),
      relogio: relogioDoSistema,
      async metrics(filas) {
        for (const { id, answer } of await processos.ask('metrics')) metricas.update(id, answer as Snapshot);
        return metricas.text(filas);
      },
      readiness: async () => prontidao(processos),
      shutdown,
      escrever,
    });
    escrever(`Malha em ${url} (processos: ${count}) — documentação em ${url}/api/v1/docs`);
    for (const linha of demonstracao) escrever(linha);
  } catch (error) {
    await shutdown.undo();
    throw error;
  }
}

/** What is done once, for all the processes. */
async function preparar(
  config: Config,
  servers: { databaseUrl: string; ownerUrl: string; redisUrl: string },
  url: string,
  escrever: (linha: string) => void,
): Promise<string[]> {
  const container = createContainer({ config, ...servers, relogio: relogioDoSistema });
  try {
    await container.redisReady();
    await warnOfRules(container);
    return await offerDemonstration(config, container, servers.ownerUrl, url, escrever);
  } finally {
    await container.close();
  }
}

/** The service is ready while one of its processes is, and degraded when any is. */
async function prontidao(processos: Processes): Promise<Readiness & { processos: number }> {
  const respostas = (await processos.ask('readiness')).map(({ answer }) => answer as Readiness);
  return {
    pronto: respostas.some(({ pronto }) => pronto),
    degradado: respostas.length === 0 || respostas.some(({ degradado }) => degradado),
    banco: respostas.some(({ banco }) => banco === 'ok') ? 'ok' : 'fora',
    redis: respostas.some(({ redis }) => redis === 'ok') ? 'ok' : 'fora',
    processos: respostas.length,
  };
}

/** What each of the processes does: it answers requests until its primary says to stop. */
async function atender(config: Config, escrever: (linha: string) => void): Promise<void> {
  const { DATABASE_URL: databaseUrl = '', REDIS_URL: redisUrl = '' } = config;
  // A Ctrl-C reaches the whole group, and it is the primary that says in which order to stop.
  const shutdown = createShutdown(escrever, { signals: ['SIGTERM'] });
  process.on('SIGUSR2', () => {});
  let parada: StopRequest = STOP;
  const container = createContainer({ config, databaseUrl, redisUrl, relogio: relogioDoSistema });
  shutdown.onStop(() => container.close());
  const membro = createProcessMember({
    answers: { metrics: container.metrics.snapshot, readiness: container.readiness },
    onStop(how) {
      parada = how;
      void shutdown.stop(0);
    },
  });
  // A process that takes another's place must do so while Redis is away, too.
  await container.redisReady().catch((error: unknown) => container.logger.warn({ err: error }, 'início sem Redis'));
  const server = container.createHttp();
  await listen(server, config.PORT, config.HOST);
  const relay = container.startRelay();
  shutdown.onStop(() => relay.stop());
  shutdown.onStop(async () => {
    let fechada: Promise<void> | undefined;
    const onUnlistened = (): void => {
      fechada = membro.closed();
    };
    await drain(server, { ...parada, onUnlistened });
    await fechada;
    await membro.farewell(await container.metrics.snapshot());
  });
  membro.ready();
}
