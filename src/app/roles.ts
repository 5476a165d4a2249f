import { createServer } from 'node:net';
import { createContainer } from './compose/container.ts';
import type { Container } from './compose/container.ts';
import { offerDemonstration } from './demonstration.ts';
import { openServers, errorCode } from './servers.ts';
import { avisosDasRegras } from '../domain/provedores/configuracao/limites.regras.ts';
import { localAddress, openOperatorPort } from './operator-port.ts';
import type { Config } from '../platform/config.ts';
import { drain } from '../platform/http/drain.ts';
import { listen } from '../platform/http/server.ts';
import { createJobMetrics } from '../platform/metrics/queues.ts';
import { toText } from '../platform/metrics/snapshot.ts';
import { giveWay } from '../platform/process/priority.ts';
import { relogioDoSistema } from '../platform/timing/relogio.ts';
import { createShutdown } from '../platform/process/shutdown.ts';

/** How a stop ends: what is under way may take ten seconds, and who holds an idle connection has one to send its last request. */
export const STOP = { idleMs: 1000, graceMs: 10_000 } as const;

export interface RolesOptions {
  readonly config: Config;
  readonly papeis: readonly ('api' | 'worker')[];
  /** Lines for the person at the terminal. */
  readonly escrever: (linha: string) => void;
}

/**
 * Starts the roles asked for and resolves once they run; a signal then stops everything in order and ends the process.
 * Rejects, with all that was started stopped again, when something cannot start.
 */
export async function startRoles({ config, papeis, escrever }: RolesOptions): Promise<void> {
  const { HOST, PORT } = config;
  const shutdown = createShutdown(escrever);
  try {
    // Asked before anything is started, so that a taken port costs a line and nothing else.
    const port = papeis.includes('api') ? await freePort(PORT, HOST) : PORT;
    const servers = await openServers({
      config,
      attach: false,
      escrever,
      onStop: (stop) => shutdown.onStop(stop),
      onExit: () => void shutdown.stop(1),
    });
    const container = createContainer({ config, ...servers, relogio: relogioDoSistema });
    shutdown.onStop(() => container.close());
    await container.redisReady();
    await warnOfRules(container);

    const url = `http://${localAddress(HOST)}:${port}`;
    const demonstracao = papeis.includes('api')
      ? await offerDemonstration(config, container, servers.ownerUrl, url, escrever)
      : [];
    const filasUrl = config.QUEUE_REDIS_URL ?? servers.redisUrl;
    const tarefas = createJobMetrics();
    if (papeis.includes('worker')) {
      const worker = await container.startWorker({ redisUrl: filasUrl, onJob: (...fim) => tarefas.record(...fim) });
      shutdown.onStop(() => worker.stop());
    }
    const { db, logger, metrics, readiness } = container;
    const oferecer = async (servico: number): Promise<string | null> =>
      openOperatorPort({
        config,
        servico,
        redisUrl: filasUrl,
        db,
        logger,
        relogio: relogioDoSistema,
        metrics: async (filas) => toText([...(await metrics.snapshot()), ...tarefas.snapshot(), ...filas]),
        readiness,
        shutdown,
        escrever,
      });
    if (papeis.includes('api')) {
      const server = container.createHttp();
      await listen(server, port, HOST);
      if (!papeis.includes('worker')) {
        const relay = container.startRelay();
        shutdown.onStop(() => relay.stop());
      }
      shutdown.onStop(() => drain(server, STOP));
      await oferecer(port);
      process.on('SIGUSR2', () => escrever('Reinício gradual só com vários processos: malha serve --processos 2.'));
      escrever(`Malha em ${url} — documentação em ${url}/api/v1/docs`);
      for (const linha of demonstracao) escrever(linha);
    } else {
      giveWay();
      // Beside the service of the same settings, whose port is the one before.
      const onde = await oferecer(port === 0 ? 0 : port + 1);
      escrever(`Worker do Malha em execução${onde === null ? '.' : ` — métricas em ${onde}/metrics`}`);
    }
  } catch (error) {
    await shutdown.undo();
    throw error;
  }
}

/** Says in the log which providers have rules that would not be accepted today; `malha provedor mostrar` says which rules. */
export async function warnOfRules({ provedores, logger }: Pick<Container, 'provedores' | 'logger'>): Promise<void> {
  const comAvisos = (await provedores.listar()).filter(({ regras }) => avisosDasRegras(regras).length > 0);
  if (comAvisos.length === 0) return;
  logger.warn({ provedores: comAvisos.map(({ id }) => id) }, 'regras de cobrança que hoje não seriam aceitas');
}

/** The port itself when nobody listens on it, or a free one for 0. */
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
