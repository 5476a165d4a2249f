import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { comandosDeAviso } from '../cli/aviso.ts';
import { comandosDeBackup } from '../cli/operacao/backup.ts';
import { comandosDeCache } from '../cli/operacao/cache.ts';
import { comandosDeCelula } from '../cli/operacao/celula.ts';
import { comandosDeChave } from '../cli/chave.ts';
import { comandosDeCliente } from '../cli/cliente/cliente.ts';
import { comandosDeBanco } from '../cli/banco/banco.ts';
import { comandosDeCobrador } from '../cli/cobrador/cobrador.ts';
import { comando, grupo, inteiro } from '../cli/comando.ts';
import { comandosDeContrato } from '../cli/contrato/contrato.ts';
import { comandosDeFatura } from '../cli/fatura/fatura.ts';
import { comandosDeFaturamento } from '../cli/faturamento/faturamento.ts';
import { comandosDeNfcom } from '../cli/nfcom/nfcom.ts';
import { comandosDeRegua } from '../cli/regua/regua.ts';
import { comandosDePsp } from '../cli/provedor/psp.ts';
import { comandosDeImportar } from '../cli/importar/importar.ts';
import { comandosDeJob } from '../cli/job/job.ts';
import { comandosDePlano } from '../cli/contrato/plano.ts';
import { comandosDeProvedor } from '../cli/provedor/provedor.ts';
import { comandosDeRegistroDeConexao } from '../cli/registro-conexao/registro-conexao.ts';
import { comandosDePop } from '../cli/pop.ts';
import { comandosDeReceptor } from '../cli/receptor.ts';
import { comandosDeRecebimento } from '../cli/recebimento.ts';
import { comandosDeUsuario } from '../cli/usuario/usuario.ts';
import type { Entrada, Servicos, Sessao } from '../cli/sessao.ts';
import { nomeDaCelula } from '../domain/celulas/celulas.ts';
import { Conflito, EntradaInvalida, Recusa } from '../domain/erros.ts';
import { createContainer } from './compose/container.ts';
import type { Container } from './compose/container.ts';
import { withQueues } from './command-queues.ts';
import { localAddress } from './operator-port.ts';
import { loadDemonstration } from './demonstration.ts';
import { startRoles } from './roles.ts';
import { openServers } from './servers.ts';
import { ConfigError, MOST_PROCESSES, loadConfig } from '../platform/config.ts';
import type { Config } from '../platform/config.ts';
import { knownKeys } from '../platform/secrets/master-key.ts';
import { keyName } from '../platform/secrets/secrets.ts';
import { errorText } from '../platform/logger.ts';
import { createDatabase } from '../platform/mysql/database.ts';
import type { Db } from '../platform/mysql/database.ts';
import type { ProvidedServers } from '../local/provide.ts';
import { relogioDoSistema } from '../platform/timing/relogio.ts';
import { serve } from './supervisor.ts';
import { JOB_NAMES, jobDefinitions } from '../../workers/jobs/catalogue.ts';

/** Errors that the person at the terminal can correct. */
const EXPECTED = [EntradaInvalida, Recusa, Conflito, ConfigError];

/** The width of an output that is not a terminal. */
const DEFAULT_COLUMNS = 80;

/** An output, such as `process.stdout`. Only a terminal has columns and can be redrawn. */
interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * All that the program knows about the process it runs in. Tests give it their own, and run many programs in one
 * process.
 */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard input, opened at the first call. */
  readonly stdin: () => Entrada;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Calls the listener at the next Ctrl-C, unless the returned function is called before. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Lets no signal end the process until the returned function is called. */
  readonly holdSignals: () => () => void;
}

/**
 * Runs `malha` with these arguments and resolves to its exit code. For a short command it resolves after the command
 * has ended and closed what it opened. For a service it resolves once the service runs; a signal later ends the
 * process.
 */
export async function runProgram(args: readonly string[], world: World): Promise<number> {
  let exitCode = 0;
  const program = createProgram(world, (code) => (exitCode = code));
  let running: Command | undefined;
  program.hook('preAction', (_program, action) => void (running = action));
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already printed the error, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode;
    // An error that the person can correct is printed as one line. Others are printed with their stack, without data.
    const isOneLine =
      error instanceof Error && (error.constructor === Error || EXPECTED.some((kind) => error instanceof kind));
    world.stderr.write(`${isOneLine ? `erro: ${argumentOf(error, running)}${error.message}` : errorText(error)}\n`);
    return 1;
  }
}

/** What a record that does not exist was asked for by, where the error says no field: the command's first argument. */
function argumentOf(error: Error, command: Command | undefined): string {
  if (!(error instanceof Recusa) || error.motivo !== 'nao_encontrado' || error.detalhe.campo !== undefined) return '';
  const [argument] = command?.registeredArguments ?? [];
  return argument === undefined ? '' : `${argument.name()} ${command?.args[0]}: `;
}

type Task = (container: Container, config: Config, servers: ProvidedServers) => Promise<void>;

async function withServers({ env, stderr }: World, task: Task): Promise<void> {
  const config = loadConfig(env);
  let stopServers = async (): Promise<void> => {};
  try {
    const servers = await openServers({
      config,
      attach: true,
      print: (line) => stderr.write(`${line}\n`),
      onStop: (stop) => (stopServers = stop),
    });
    // A command answers on stdout, which programs read: what is logged meanwhile is no part of that.
    const container = createContainer({
      config,
      ...servers,
      relogio: relogioDoSistema,
      logDestination: stderr,
      patient: true,
    });
    try {
      await container.redisReady();
      await task(container, config, servers);
    } finally {
      await container.close();
    }
  } finally {
    await stopServers();
  }
}

/** What commands ask of the domain, the schema's owner included. */
function withOwner(container: Container, config: Config, ownerUrl: string): Servicos {
  const comoDono = (url = ownerUrl): Db => createDatabase({ url, pool: 4, announces: true });
  return {
    ...container,
    comoDono,
    estaCelula: () => nomeDaCelula(ownerUrl),
    chavesMestras: () => knownKeys(config).map(keyName),
  };
}

function createSession(world: World, terminarCom: Sessao['terminarCom']): Sessao {
  const { env, stdin, stdout, stderr, onInterrupt, holdSignals } = world;
  const print = (line: string): void => void stderr.write(`${line}\n`);
  return {
    comContainer: async (task) =>
      withServers(world, async (container, config, { ownerUrl }) => task(withOwner(container, config, ownerUrl))),

    comFilas: async (task) =>
      withServers(world, async (container, config, { redisUrl, ownerUrl }) =>
        withQueues(config.QUEUE_REDIS_URL ?? redisUrl, async (queues) =>
          task(queues, withOwner(container, config, ownerUrl)),
        ),
      ),

    copias: {
      fazer: async (...what) => (await import('./backups.ts')).take(loadConfig(env), print, ...what),
      restaurar: async (...what) => (await import('./backups.ts')).restore(loadConfig(env), print, ...what),
    },

    entrada: stdin,
    env,

    mostrar(json, value, lines) {
      for (const line of json === true ? [JSON.stringify(value, null, 2)] : lines) stdout.write(`${line}\n`);
    },

    tela: {
      interativa: stderr.isTTY === true,
      largura: () => stderr.columns ?? DEFAULT_COLUMNS,
      escrever: (text) => void stderr.write(text),
    },

    async comCtrlC(task) {
      const controller = new AbortController();
      const stopListening = onInterrupt(() => controller.abort());
      try {
        return await task(controller.signal);
      } finally {
        stopListening();
      }
    },

    async ateOFim(task) {
      const release = holdSignals();
      try {
        return await task();
      } finally {
        release();
      }
    },

    terminarCom,
  };
}

/** The commands. Each inherits from the program how it ends and where it writes. */
function createProgram(world: World, terminarCom: Sessao['terminarCom']): Command {
  const { env, stdout, stderr } = world;
  const print = (line: string): void => void stdout.write(`${line}\n`);
  const warn = (line: string): void => void stderr.write(`${line}\n`);
  const session = createSession(world, terminarCom);
  const root = new Command('malha').exitOverride().configureOutput({
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    getOutHelpWidth: () => stdout.columns ?? DEFAULT_COLUMNS,
    getErrHelpWidth: () => stderr.columns ?? DEFAULT_COLUMNS,
  });
  const program = grupo(root)
    .description(
      'Malha: back office multi-inquilino para provedores de internet.\nAs configurações vêm do ambiente; veja o README.',
    )
    .version('1.0.0', '-v, --version', 'mostra a versão');

  comando(program.command('start'))
    .description('serve a API e executa as tarefas de fundo num só processo; é o que npm start faz')
    .action(async () => startRoles({ config: loadConfig(env), roles: ['api', 'worker'], print }));

  comando(program.command('serve'))
    .description('serve a API (em PORT, padrão 3000)')
    .option(
      '--processos <n>',
      'processos na mesma porta, com reinício gradual por SIGUSR2 (MALHA_PROCESSOS; em produção, um por núcleo)',
      (text: string): number => {
        const count = inteiro(text);
        if (count < 1 || count > MOST_PROCESSES) throw new InvalidArgumentError(`deve ser de 1 a ${MOST_PROCESSES}.`);
        return count;
      },
    )
    .action(async ({ processos }: { processos?: number }) => {
      const config = loadConfig(env);
      await serve({ config: processos === undefined ? config : { ...config, MALHA_PROCESSOS: processos }, print });
    });

  comando(program.command('worker'))
    .description('executa as tarefas de fundo')
    .action(async () => startRoles({ config: loadConfig(env), roles: ['worker'], print }));

  comando(program.command('migrate'))
    .description('atualiza o esquema do banco')
    .action(async () => {
      await session.comContainer(async ({ db }) => {
        const [{ total }] = (await db('migracoes').count({ total: '*' })) as [{ total: number }];
        print(`Esquema em dia (${total} migrações).`);
      });
    });

  comando(program.command('demo'))
    .description('carrega os dados de demonstração e grava demo.json')
    .action(async () => {
      await withServers(world, async (container, config, { ownerUrl }) => {
        const url = `http://${localAddress(config.HOST)}:${config.PORT}`;
        const demo = await loadDemonstration({ config, container, ownerUrl, url, print: warn, required: true });
        print(`Chaves de demonstração em ${demo?.arquivo ?? ''}`);
      });
    });

  comandosDeProvedor(program, session);
  comandosDeCelula(program, session);
  comandosDeChave(program, session);
  comandosDeUsuario(program, session);
  comandosDePlano(program, session);
  comandosDeCliente(program, session);
  comandosDeContrato(program, session);
  comandosDeReceptor(program, session);
  comandosDeCache(program, session);
  comandosDeBackup(program, session);
  comandosDeRecebimento(program, session);
  comandosDeFatura(program, session);
  comandosDeFaturamento(program, session);
  comandosDeNfcom(program, session);
  comandosDeRegua(program, session);
  comandosDePsp(program, session);
  comandosDeCobrador(program, session);
  comandosDeBanco(program, session);
  comandosDeRegistroDeConexao(program, session);
  comandosDePop(program, session);
  comandosDeAviso(program, session);
  comandosDeImportar(program, session);
  comandosDeJob(
    program,
    session,
    JOB_NAMES.map((name) => ({ nome: name, ...jobDefinitions[name] })),
  );
  return program;
}
