import type { Logger } from 'pino';
import { situacaoDasTarefas } from '../domain/tarefas/operacao.ts';
import type { Config } from '../platform/config.ts';
import type { Db } from '../platform/mysql/database.ts';
import { createManagementServer } from '../platform/http/management.ts';
import type { Board, ManagementDeps } from '../platform/http/management.ts';
import { closeServer, listen } from '../platform/http/server.ts';
import { createQueueMetrics } from '../platform/metrics/queues.ts';
import type { Snapshot } from '../platform/metrics/snapshot.ts';
import type { BoardDeps } from '../platform/queues/board.ts';
import { createQueueMonitor } from '../platform/queues/monitor.ts';
import { createRedis } from '../platform/redis/redis.ts';
import type { Relogio } from '../platform/timing/relogio.ts';
import type { Shutdown } from '../platform/process/shutdown.ts';
import { jobDefinitions } from '../../workers/jobs/catalogue.ts';
import type { JobQueue } from '../../workers/jobs/catalogue.ts';

/** How far the port of metrics and health is from that of the service, where no other is set. */
const METRICS_OFFSET = 10_000;

export interface OperatorPortDeps {
  readonly config: Config;
  /** Port of the service, by which that of the management goes; 0: any free one. */
  readonly servico: number;
  /** Of the queues. */
  readonly redisUrl: string;
  readonly db: Db;
  readonly logger: Logger;
  readonly relogio: Relogio;
  /** Text for Prometheus: what the process counts, and what is given of the queues. */
  readonly metrics: (filas: Snapshot) => Promise<string>;
  readonly readiness: ManagementDeps['readiness'];
  readonly shutdown: Shutdown;
  readonly escrever: (linha: string) => void;
}

/**
 * Serves metrics, health and the queues' board on a port of their own; resolves to where. A port that is taken costs a line, and not
 * the service.
 */
export async function openOperatorPort(deps: OperatorPortDeps): Promise<string | null> {
  const { config, servico, db, logger, relogio, shutdown, escrever } = deps;
  const { MALHA_METRICS_HOST: host, MALHA_METRICS_PORT, MALHA_SENHA_FILAS: senha } = config;
  const vizinha = servico + METRICS_OFFSET > 65_535 ? servico - METRICS_OFFSET : servico + METRICS_OFFSET;
  const port = MALHA_METRICS_PORT ?? (servico === 0 ? 0 : vizinha);
  if (MALHA_METRICS_PORT === 0) return null;

  const onError = (error: Error): void => logger.debug({ err: error }, 'filas');
  const connection = createRedis(deps.redisUrl, 'queue', onError);
  // Opened for the first who asks: it brings some megabytes of packages.
  let queue: Promise<JobQueue> | undefined;
  const abrir = async (): Promise<JobQueue> =>
    (queue ??= import('../platform/queues/queue.ts').then(({ createQueue }) =>
      createQueue({ connection, definitions: jobDefinitions, onError }),
    ));
  const fechar = async (): Promise<void> => {
    // While Redis is away, closing would wait for it.
    if (queue !== undefined && connection.status === 'ready') await (await queue).close();
    connection.disconnect();
  };
  const filas = createQueueMetrics({
    depths: async () => createQueueMonitor(await abrir()).depths(),
    daily: async () => situacaoDasTarefas(db, relogio).then(porTarefa),
  });
  const server = createManagementServer({
    metrics: async () => deps.metrics(await filas.snapshot()),
    readiness: deps.readiness,
    ...(senha === undefined
      ? {}
      : {
          board: await abrirPainel({
            queues: (await abrir()).queues,
            reachable: () => connection.status === 'ready',
            password: senha,
            onError,
          }),
        }),
  });
  try {
    const aberta = await listen(server, port, host);
    shutdown.onStop(async () => {
      await closeServer(server, 0);
      await fechar();
    });
    return `http://${localAddress(host)}:${aberta}`;
  } catch (error) {
    await fechar();
    const codigo = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    escrever(
      `Sem métricas: não foi possível escutar em ${host}:${port} (${codigo}); escolha outra com MALHA_METRICS_PORT.`,
    );
    return null;
  }
}

/** Loaded by whom it is for: it brings a server's worth of packages. */
async function abrirPainel(deps: BoardDeps): Promise<Board> {
  const { createBoard } = await import('../platform/queues/board.ts');
  return createBoard(deps);
}

/** The days that it is for different providers, as one. */
function porTarefa(situacoes: Awaited<ReturnType<typeof situacaoDasTarefas>>) {
  const juntas = new Map<string, { task: string; pending: number; behind: number }>();
  for (const { tarefa, pendentes, atrasadas } of situacoes) {
    const { pending, behind } = juntas.get(tarefa) ?? { pending: 0, behind: 0 };
    juntas.set(tarefa, { task: tarefa, pending: pending + pendentes, behind: behind + atrasadas });
  }
  return [...juntas.values()];
}

/** An address of this machine at which a service that listens on `host` answers. */
export function localAddress(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
