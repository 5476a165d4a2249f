import { createServer } from 'node:net';
import { createContainer } from './compose/container.ts';
import type { Container } from './compose/container.ts';
import { offerDemonstration, offerCollection, offerNotes } from './demonstration.ts';
import { openServers, errorCode } from './servers.ts';
import { masterKeys } from '../platform/secrets/master-key.ts';
import { ondeHaSegredo } from '../domain/segredos/guardados.service.ts';
import { avisosDasRegras } from '../domain/provedores/configuracao/limites.regras.ts';
import { localAddress, openOperatorPort } from './operator-port.ts';
import type { Config } from '../platform/config.ts';
import { drain } from '../platform/http/drain.ts';
import { listen } from '../platform/http/server.ts';
import type { Role } from '../platform/metrics/metrics.ts';
import { createJobMetrics } from '../platform/metrics/queues.ts';
import { toText } from '../platform/metrics/snapshot.ts';
import { giveWay } from '../platform/process/priority.ts';
import { startTracing } from '../platform/tracing/tracing.ts';
import { relogioDoSistema } from '../platform/timing/relogio.ts';
import { createShutdown } from '../platform/process/shutdown.ts';
import { JOB_NAMES } from '../../workers/jobs/catalogue.ts';

/** How a service stops: running requests may take ten seconds, and idle connections stay open for one more second. */
export const STOP = { idleMs: 1000, graceMs: 10_000 } as const;

export interface RolesOptions {
  readonly config: Config;
  readonly roles: readonly Role[];
  /** Lines for the person at the terminal. */
  readonly print: (line: string) => void;
}

/**
 * Starts the roles asked for and resolves once they run. A signal then stops everything in order and ends the process.
 * When something cannot start, it stops what was started and rejects.
 */
export async function startRoles({ config, roles, print }: RolesOptions): Promise<void> {
  const { HOST, PORT } = config;
  const shutdown = createShutdown(print);
  try {
    // Checked before anything is started, so that a port in use causes one error line and no other effect.
    const port = roles.includes('api') ? await freePort(PORT, HOST) : PORT;
    const servers = await openServers({
      config,
      attach: false,
      print,
      onStop: (stop) => shutdown.onStop(stop),
      onExit: () => void shutdown.stop(1),
    });
    const tracing = await startTracing(config, roles[0] ?? 'api');
    shutdown.onStop(async () => tracing?.close());
    const container = createContainer({ config, ...servers, roles, tracing, relogio: relogioDoSistema });
    shutdown.onStop(() => container.close());
    await container.redisReady();
    await warnOfRules(container);
    await requireMasterKey(config, container);

    const url = `http://${localAddress(HOST)}:${port}`;
    const demonstrationLines = roles.includes('api')
      ? await offerDemonstration(config, container, servers.ownerUrl, url, print)
      : [];
    const queuesUrl = config.QUEUE_REDIS_URL ?? servers.redisUrl;
    const jobMetrics = createJobMetrics(roles.includes('worker') ? JOB_NAMES : []);
    if (roles.includes('worker') && demonstrationLines.length > 0) {
      await offerCollection(config, container, servers.ownerUrl);
      const notes = await offerNotes(config, container, servers.ownerUrl);
      if (notes !== null) {
        shutdown.onStop(() => notes.fechar());
        demonstrationLines.push(notes.linha);
      }
    }
    if (roles.includes('worker')) {
      const worker = await container.startWorker({
        redisUrl: queuesUrl,
        onJob: (...outcome) => jobMetrics.record(...outcome),
      });
      shutdown.onStop(() => worker.stop());
    }
    const { db, logger, metrics, readiness } = container;
    const openMetrics = async (servicePort: number): Promise<string | null> =>
      openOperatorPort({
        config,
        servicePort,
        redisUrl: queuesUrl,
        db,
        logger,
        relogio: relogioDoSistema,
        metrics: async (queueMetrics) =>
          toText([...(await metrics.snapshot()), ...jobMetrics.snapshot(), ...queueMetrics]),
        readiness,
        shutdown,
        print,
      });
    if (roles.includes('api')) {
      const server = container.createHttp();
      await listen(server, port, HOST);
      if (!roles.includes('worker')) {
        const relay = container.startRelay();
        shutdown.onStop(() => relay.stop());
      }
      shutdown.onStop(async () => {
        container.streams.drain();
        await drain(server, STOP);
      });
      await openMetrics(port);
      process.on('SIGUSR2', () => print('Reinício gradual só com vários processos: malha serve --processos 2.'));
      print(`Malha em ${url} — documentação em ${url}/api/v1/docs`);
      for (const line of demonstrationLines) print(line);
    } else {
      giveWay();
      // The API with the same settings uses the operator port of PORT, so the worker uses the next one.
      const where = await openMetrics(port === 0 ? 0 : port + 1);
      print(`Worker do Malha em execução${where === null ? '.' : ` — métricas em ${where}/metrics`}`);
    }
  } catch (error) {
    await shutdown.undo();
    throw error;
  }
}

/** Logs the providers whose billing rules would not be accepted today. `malha provedor mostrar` shows the rules. */
export async function warnOfRules({ provedores, logger }: Pick<Container, 'provedores' | 'logger'>): Promise<void> {
  const withWarnings = (await provedores.listar()).filter(({ regras }) => avisosDasRegras(regras).length > 0);
  if (withWarnings.length === 0) return;
  logger.warn({ provedores: withWarnings.map(({ id }) => id) }, 'regras de cobrança que hoje não seriam aceitas');
}

/**
 * In production, a secret that is stored cannot be read without the key: that is told now, and not when it is needed. Where nothing is
 * stored yet, the log says what will not work: codes, devices and cursors of `/v1` are signed or sealed by it.
 *
 * @throws ConfigError
 */
export async function requireMasterKey(
  config: Config,
  { db, logger }: Pick<Container, 'db' | 'logger'>,
): Promise<void> {
  if (config.NODE_ENV !== 'production' || config.MALHA_CHAVE_MESTRA !== undefined) return;
  if ((await ondeHaSegredo(db)) !== null) masterKeys(config);
  logger.warn('sem MALHA_CHAVE_MESTRA ninguém entra por /v1, e as suas listas não passam da primeira parte');
}

/** Resolves to the port when it can be used, or to a free one when the port is 0. */
export async function freePort(port: number, host: string): Promise<number> {
  const probe = createServer();
  try {
    const free = await listen(probe, port, host);
    await new Promise((resolve) => {
      probe.close(resolve);
    });
    return free;
  } catch (error) {
    const code = errorCode(error);
    throw new Error(
      code === 'EADDRINUSE'
        ? `A porta ${port} já está em uso; escolha outra: PORT=${port + 1} npm start`
        : `Não foi possível escutar em ${host}:${port} (${code}).`,
      { cause: error },
    );
  }
}
