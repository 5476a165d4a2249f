import type { Logger } from 'pino';
import { situacaoDasFilas } from '../domain/nfcom/envio/fila.queries.ts';
import { situacaoDasEsperas } from '../domain/tarefas/esperas.queries.ts';
import { situacaoDasTarefas } from '../domain/tarefas/operacao.ts';
import { METRICS_OFFSET } from '../platform/config.ts';
import type { Config } from '../platform/config.ts';
import type { Db } from '../platform/mysql/database.ts';
import { createManagementServer } from '../platform/http/management.ts';
import type { Board, ManagementDeps } from '../platform/http/management.ts';
import { closeServer, listen } from '../platform/http/server.ts';
import { createQueueMetrics } from '../platform/metrics/queues.ts';
import type { Snapshot } from '../platform/metrics/snapshot.ts';
import type { BoardDeps } from '../platform/queues/board.ts';
import { createQueueMonitor } from '../platform/queues/monitor.ts';
import { createRedis, endRedis } from '../platform/redis/redis.ts';
import type { Relogio } from '../platform/timing/relogio.ts';
import type { Shutdown } from '../platform/process/shutdown.ts';
import { jobDefinitions } from '../../workers/jobs/catalogue.ts';
import type { JobQueue } from '../../workers/jobs/catalogue.ts';

export interface OperatorPortDeps {
  readonly config: Config;
  /** Port of the service, from which the default port is calculated; 0 means any free port. */
  readonly servicePort: number;
  /** The Redis of the queues. */
  readonly redisUrl: string;
  readonly db: Db;
  readonly logger: Logger;
  readonly relogio: Relogio;
  /** Text for Prometheus: the metrics of the process or processes, and the given metrics of the queues. */
  readonly metrics: (queueMetrics: Snapshot) => Promise<string>;
  readonly readiness: ManagementDeps['readiness'];
  readonly shutdown: Shutdown;
  readonly print: (line: string) => void;
}

/**
 * Serves metrics, health and the queues' board on a port of their own; resolves to the address. When the port is in
 * use, a line says so, and the service runs without metrics.
 */
export async function openOperatorPort(deps: OperatorPortDeps): Promise<string | null> {
  const { config, servicePort, db, logger, relogio, shutdown, print } = deps;
  const { MALHA_METRICS_HOST: host, MALHA_METRICS_PORT, MALHA_SENHA_FILAS: password } = config;
  const neighbour = servicePort + METRICS_OFFSET > 65_535 ? servicePort - METRICS_OFFSET : servicePort + METRICS_OFFSET;
  const port = MALHA_METRICS_PORT ?? (servicePort === 0 ? 0 : neighbour);
  if (MALHA_METRICS_PORT === 0) return null;

  const onError = (error: Error): void => logger.debug({ err: error }, 'filas');
  const connection = createRedis(deps.redisUrl, 'queue', onError);
  // Imported and opened at first use: it brings some megabytes of packages.
  let queue: Promise<JobQueue> | undefined;
  const openQueue = async (): Promise<JobQueue> =>
    (queue ??= import('../platform/queues/queue.ts').then(({ createQueue }) =>
      createQueue({ connection, definitions: jobDefinitions, onError }),
    ));
  const closeQueue = async (): Promise<void> => {
    // While Redis is away, closing the queue would wait for it.
    if (queue !== undefined && connection.status === 'ready') await (await queue).close();
    endRedis(connection);
  };
  const queueMetrics = createQueueMetrics({
    depths: async () => createQueueMonitor(await openQueue()).depths(),
    daily: async () => situacaoDasTarefas(db, relogio).then(byTask),
    notes: async () => {
      const { esperam, atrasoMs, paradas } = await situacaoDasFilas(db, relogio.agora());
      return { waiting: esperam, oldestDueMs: atrasoMs, stopped: paradas };
    },
    standing: async () => {
      const { correioMs, eventosMs, pspMs, retornos, retornosComFalha } = await situacaoDasEsperas(db, relogio.agora());
      return {
        mailMs: correioMs,
        outboxMs: eventosMs,
        pspMs,
        bankFiles: retornos,
        bankFilesFailing: retornosComFalha,
      };
    },
  });
  const server = createManagementServer({
    metrics: async () => deps.metrics(await queueMetrics.snapshot()),
    readiness: deps.readiness,
    ...(password === undefined
      ? {}
      : {
          board: await openBoard({
            queues: (await openQueue()).queues,
            reachable: () => connection.status === 'ready',
            password,
            onError,
          }),
        }),
  });
  try {
    const openedPort = await listen(server, port, host);
    shutdown.onStop(async () => {
      await closeServer(server, 0);
      await closeQueue();
    });
    return `http://${localAddress(host)}:${openedPort}`;
  } catch (error) {
    await closeQueue();
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    print(`Sem métricas: não foi possível escutar em ${host}:${port} (${code}); escolha outra com MALHA_METRICS_PORT.`);
    return null;
  }
}

/** Imported only when there is a board, because it brings many packages. */
async function openBoard(deps: BoardDeps): Promise<Board> {
  const { createBoard } = await import('../platform/queues/board.ts');
  return createBoard(deps);
}

/** Sums the pending work by task. It comes by day, because the local day differs between providers. */
function byTask(states: Awaited<ReturnType<typeof situacaoDasTarefas>>) {
  const totals = new Map<string, { task: string; pending: number; behind: number }>();
  for (const { tarefa, pendentes, atrasadas } of states) {
    const { pending, behind } = totals.get(tarefa) ?? { pending: 0, behind: 0 };
    totals.set(tarefa, { task: tarefa, pending: pending + pendentes, behind: behind + atrasadas });
  }
  return [...totals.values()];
}

/** The address at which a service that listens on `host` answers on this machine. */
export function localAddress(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
