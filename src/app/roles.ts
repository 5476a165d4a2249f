import { createServer } from 'node:net';
import path from 'node:path';
import type { startWorker } from './compose/worker.ts';
import type { prepararDemonstracao } from '../../seeds/preparar.ts';
import { createContainer } from './compose/container.ts';
import { DIREITOS } from '../domain/direitos.ts';
import { avisosDasRegras } from '../domain/provedores/configuracao/limites.regras.ts';
import { enderecoLocal, oferecerGestao } from './operator-port.ts';
import type { Config } from '../platform/config.ts';
import { createDatabase, isDenied } from '../platform/mysql/database.ts';
import { grantApplication } from '../platform/mysql/grants.ts';
import { drain } from '../platform/http/drain.ts';
import { listen } from '../platform/http/server.ts';
import { createJobMetrics } from '../platform/metrics/queues.ts';
import type { JobMetrics } from '../platform/metrics/queues.ts';
import { toText } from '../platform/metrics/snapshot.ts';
import { migrate } from '../platform/mysql/migrations.ts';
import { giveWay } from '../platform/process/priority.ts';
import { provideServers } from '../local/provide.ts';
import { relogioDoSistema } from '../platform/timing/relogio.ts';
import { createShutdown } from '../platform/process/shutdown.ts';

/** How a stop ends: what is under way may take ten seconds, and who holds an idle connection has one to send its last request. */
export const STOP = { idleMs: 1000, graceMs: 10_000 } as const;

export interface ServicoOptions {
  readonly config: Config;
  readonly papeis: readonly ('api' | 'worker')[];
  /** Lines for the person at the terminal. */
  readonly escrever: (linha: string) => void;
}

/**
 * Starts the roles asked for and resolves once they run; a signal then stops everything in order and ends the process.
 * Rejects, with all that was started stopped again, when something cannot start.
 */
export async function iniciar({ config, papeis, escrever }: ServicoOptions): Promise<void> {
  const { HOST, PORT, MALHA_DATA_DIR } = config;
  const shutdown = createShutdown(escrever);
  try {
    // Asked before anything is started, so that a taken port costs a line and nothing else.
    const port = papeis.includes('api') ? await portaLivre(PORT, HOST) : PORT;
    const servers = await provideServers({
      databaseUrl: config.DATABASE_URL,
      ownerUrl: config.DATABASE_OWNER_URL,
      redisUrl: config.REDIS_URL,
      dataDir: MALHA_DATA_DIR,
      log: escrever,
      attach: false,
      onExit: () => void shutdown.stop(1),
    });
    shutdown.onStop(() => servers.stop());
    await migrar(servers, escrever);

    const container = createContainer({ config, ...servers, relogio: relogioDoSistema });
    shutdown.onStop(() => container.close());
    await container.redisReady();
    await avisarDasRegras(container);

    const url = `http://${enderecoLocal(HOST)}:${port}`;
    const demonstracao = papeis.includes('api')
      ? await oferecerDemonstracao(config, container, servers.ownerUrl, url, escrever)
      : [];
    const filasUrl = config.QUEUE_REDIS_URL ?? servers.redisUrl;
    const tarefas = createJobMetrics();
    if (papeis.includes('worker')) {
      const worker = await iniciarWorker(config, container, filasUrl, tarefas);
      shutdown.onStop(() => worker.stop());
    }
    const { db, logger, metrics, readiness } = container;
    const oferecer = async (servico: number): Promise<string | null> =>
      oferecerGestao({
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

/**
 * Brings the schema and its users' rights up to date on connections of its own; resolves to the names of the migrations that ran.
 *
 * @param avisar told, in a line, of rights that the service's user should not have.
 */
export async function migrar(
  { databaseUrl, ownerUrl }: { databaseUrl: string; ownerUrl: string },
  avisar: (linha: string) => void,
): Promise<string[]> {
  const db = createDatabase({ url: ownerUrl, pool: 2 });
  try {
    await db.raw('SELECT 1').catch((error: unknown) => {
      throw new Error(`O banco não aceitou a conexão (${codigoDe(error)}); confira DATABASE_URL.`, { cause: error });
    });
    const names = await migrate(db);
    const largos = await grantApplication(db, databaseUrl, DIREITOS);
    if (largos.length > 0) {
      avisar(
        `Aviso: o usuário de DATABASE_URL tem direitos que não são de tabelas (${largos.join(', ')}); tire-os com REVOKE.`,
      );
    }
    return names;
  } finally {
    await db.destroy();
  }
}

/** Says in the log which providers have rules that would not be accepted today; `malha provedor mostrar` says which rules. */
export async function avisarDasRegras({ provedores, logger }: Pick<Container, 'provedores' | 'logger'>): Promise<void> {
  const comAvisos = (await provedores.listar()).filter(({ regras }) => avisosDasRegras(regras).length > 0);
  if (comAvisos.length === 0) return;
  logger.warn({ provedores: comAvisos.map(({ id }) => id) }, 'regras de cobrança que hoje não seriam aceitas');
}

type Container = ReturnType<typeof createContainer>;

// The worker and the seeds stand outside src, which imports neither: they are found by file URL.
async function iniciarWorker(
  config: Config,
  { db, write, logger, publicacao, tarefas, extratos }: Container,
  redisUrl: string,
  medidas: JobMetrics,
) {
  const main = (await import(new URL('./compose/worker.js', import.meta.url).href)) as {
    startWorker: typeof startWorker;
  };
  return main.startWorker({
    db,
    write,
    logger,
    publicacao,
    tarefas,
    extratos,
    redisUrl,
    relogio: relogioDoSistema,
    intervaloPadraoSegundos: config.MALHA_INTERVALO_RADIUS,
    onJob: (...fim) => medidas.record(...fim),
  });
}

/** Prepares the demonstration where it is wanted, and says how to try it. */
export async function oferecerDemonstracao(
  config: Config,
  container: Container,
  ownerUrl: string,
  url: string,
  escrever: (linha: string) => void,
): Promise<string[]> {
  if (config.MALHA_DEMO === 'nao' || (config.MALHA_DEMO === 'auto' && config.NODE_ENV === 'production')) return [];
  const obrigatoria = config.MALHA_DEMO === 'sim';
  const demo = await demonstrar({ config, container, ownerUrl, url, escrever, obrigatoria }).catch((error: unknown) => {
    if (obrigatoria || !isDenied(error)) throw error;
    escrever('Sem demonstração: quem a carrega é o dono do esquema (DATABASE_OWNER_URL).');
    return null;
  });
  if (demo === null) return [];
  return [
    `Chaves de demonstração em ${demo.arquivo}. Experimente:`,
    `  curl -H 'Authorization: Bearer ${demo.chave}' ${url}/api/v1/status`,
  ];
}

export interface DemonstrarOptions {
  readonly config: Config;
  readonly container: Pick<Container, 'chaves' | 'receptores'>;
  /** Whose rows they are: the service may not write all of them. */
  readonly ownerUrl: string;
  readonly url: string;
  readonly escrever: (linha: string) => void;
  /** Loads it even beside real providers. */
  readonly obrigatoria: boolean;
}

/** Loads the demonstration data where it is missing and writes `demo.json`; null when real providers are there. */
export async function demonstrar({ config, container, ownerUrl, url, escrever, obrigatoria }: DemonstrarOptions) {
  const seeds = (await import(new URL('../../seeds/preparar.js', import.meta.url).href)) as {
    prepararDemonstracao: typeof prepararDemonstracao;
  };
  const db = createDatabase({ url: ownerUrl, pool: config.MALHA_POOL, announces: true });
  try {
    return await seeds.prepararDemonstracao({
      db,
      chaves: container.chaves,
      receptores: container.receptores,
      relogio: relogioDoSistema,
      intervaloPadraoSegundos: config.MALHA_INTERVALO_RADIUS,
      arquivo: path.join(config.MALHA_DATA_DIR, 'demo.json'),
      url,
      obrigatoria,
      log: escrever,
    });
  } finally {
    await db.destroy();
  }
}

/** The port itself when nobody listens on it, or a free one for 0. */
export async function portaLivre(port: number, host: string): Promise<number> {
  const probe = createServer();
  try {
    const free = await listen(probe, port, host);
    await new Promise((resolve) => {
      probe.close(resolve);
    });
    return free;
  } catch (error) {
    const code = codigoDe(error);
    throw new Error(
      code === 'EADDRINUSE'
        ? `A porta ${port} já está em uso; escolha outra: PORT=${port + 1} npm start`
        : `Não foi possível escutar em ${host}:${port} (${code}).`,
      { cause: error },
    );
  }
}

function codigoDe(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
