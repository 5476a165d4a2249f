import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { comandosDeCache } from '../cli/cache.ts';
import { comandosDeChave } from '../cli/chave.ts';
import { comando, grupo, inteiro } from '../cli/comando.ts';
import { comandosDeFatura } from '../cli/fatura.ts';
import { comandosDeJob } from '../cli/job/job.ts';
import { comandosDeProvedor } from '../cli/provedor/provedor.ts';
import { comandosDeReceptor } from '../cli/receptor.ts';
import { comandosDeRecebimento } from '../cli/recebimento.ts';
import type { Entrada, Sessao } from '../cli/sessao.ts';
import { Conflito, EntradaInvalida } from '../domain/erros.ts';
import { createContainer } from './compose/container.ts';
import type { Container } from './compose/container.ts';
import { withQueues } from './command-queues.ts';
import { localAddress } from './operator-port.ts';
import { loadDemonstration } from './demonstration.ts';
import { startRoles } from './roles.ts';
import { openServers } from './servers.ts';
import { ConfigError, MAIS_PROCESSOS, loadConfig } from '../platform/config.ts';
import type { Config } from '../platform/config.ts';
import { errorText } from '../platform/logger.ts';
import type { ProvidedServers } from '../local/provide.ts';
import { relogioDoSistema } from '../platform/timing/relogio.ts';
import { serve } from './supervisor.ts';
import { JOB_NAMES, jobDefinitions } from '../../workers/jobs/catalogue.ts';

/** Columns of what is no screen. */
const LARGURA = 80;

/** An output, such as `process.stdout`; only a screen has columns, and can be drawn over. */
interface Fluxo {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(texto: string): unknown;
}

/** All that the program knows of the process it runs in, so that several may run in one. */
export interface Mundo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard input, opened by the first who asks. */
  readonly entrada: () => Entrada;
  readonly saida: Fluxo;
  readonly erros: Fluxo;
  /** Calls back once at the next Ctrl-C, unless the function it returns is called before. */
  readonly aoInterromper: (ouvinte: () => void) => () => void;
}

/**
 * Runs `malha` with these arguments and resolves to its exit code: of a short command once it has ended and closed what it
 * opened, of one that stays once it runs. Those that stay end the process by themselves, when a signal asks for it.
 */
export async function runProgram(args: readonly string[], mundo: Mundo): Promise<number> {
  let codigo = 0;
  const programa = criarPrograma(mundo, (outro) => (codigo = outro));
  try {
    await programa.parseAsync(args, { from: 'user' });
    return codigo;
  } catch (error) {
    // Commander has already said what is wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode;
    // What a person can mend is said in a line; anything else keeps its frames, and no data.
    const esperado = error instanceof EntradaInvalida || error instanceof Conflito || error instanceof ConfigError;
    const emUmaLinha = esperado || (error instanceof Error && error.constructor === Error);
    mundo.erros.write(`${emUmaLinha ? `erro: ${error.message}` : errorText(error)}\n`);
    return 1;
  }
}

type Tarefa = (container: Container, config: Config, servers: ProvidedServers) => Promise<void>;

async function comServidores({ env, saida, erros }: Mundo, tarefa: Tarefa): Promise<void> {
  const config = loadConfig(env);
  let parar = async (): Promise<void> => {};
  try {
    const servers = await openServers({
      config,
      attach: true,
      escrever: (linha) => erros.write(`${linha}\n`),
      onStop: (stop) => (parar = stop),
    });
    const container = createContainer({ config, ...servers, relogio: relogioDoSistema, destinoDoLog: saida });
    try {
      await container.redisReady();
      await tarefa(container, config, servers);
    } finally {
      await container.close();
    }
  } finally {
    await parar();
  }
}

function criarSessao(mundo: Mundo, terminarCom: Sessao['terminarCom']): Sessao {
  const { entrada, saida, erros, aoInterromper } = mundo;
  return {
    comContainer: async (tarefa) => comServidores(mundo, tarefa),

    comFilas: async (tarefa) =>
      comServidores(mundo, async (container, config, { redisUrl }) =>
        withQueues(config.QUEUE_REDIS_URL ?? redisUrl, async (filas) => tarefa(filas, container)),
      ),

    entrada,

    mostrar(json, valor, linhas) {
      for (const linha of json === true ? [JSON.stringify(valor, null, 2)] : linhas) saida.write(`${linha}\n`);
    },

    tela: {
      interativa: erros.isTTY === true,
      largura: () => erros.columns ?? LARGURA,
      escrever: (texto) => void erros.write(texto),
    },

    async comCtrlC(tarefa) {
      const controle = new AbortController();
      const deixarDeOuvir = aoInterromper(() => controle.abort());
      try {
        return await tarefa(controle.signal);
      } finally {
        deixarDeOuvir();
      }
    },

    terminarCom,
  };
}

/** The commands; each inherits from the program how it ends and where it writes. */
function criarPrograma(mundo: Mundo, terminarCom: Sessao['terminarCom']): Command {
  const { env, saida, erros } = mundo;
  const escrever = (linha: string): void => void saida.write(`${linha}\n`);
  const avisar = (linha: string): void => void erros.write(`${linha}\n`);
  const sessao = criarSessao(mundo, terminarCom);
  const raiz = new Command('malha').exitOverride().configureOutput({
    writeOut: (texto) => saida.write(texto),
    writeErr: (texto) => erros.write(texto),
    getOutHelpWidth: () => saida.columns ?? LARGURA,
    getErrHelpWidth: () => erros.columns ?? LARGURA,
  });
  const programa = grupo(raiz)
    .description(
      'Malha: back office multi-inquilino para provedores de internet.\nAs configurações vêm do ambiente; veja o README.',
    )
    .version('1.0.0', '-v, --version', 'mostra a versão');

  comando(programa.command('start'))
    .description('serve a API e executa as tarefas de fundo num só processo; é o que npm start faz')
    .action(async () => startRoles({ config: loadConfig(env), papeis: ['api', 'worker'], escrever }));

  comando(programa.command('serve'))
    .description('serve a API (em PORT, padrão 3000)')
    .option(
      '--processos <n>',
      'processos na mesma porta, com reinício gradual por SIGUSR2 (MALHA_PROCESSOS; em produção, um por núcleo)',
      (texto: string): number => {
        const processos = inteiro(texto);
        if (processos < 1 || processos > MAIS_PROCESSOS)
          throw new InvalidArgumentError(`deve ser de 1 a ${MAIS_PROCESSOS}.`);
        return processos;
      },
    )
    .action(async ({ processos }: { processos?: number }) => {
      const config = loadConfig(env);
      await serve({ config: processos === undefined ? config : { ...config, MALHA_PROCESSOS: processos }, escrever });
    });

  comando(programa.command('worker'))
    .description('executa as tarefas de fundo')
    .action(async () => startRoles({ config: loadConfig(env), papeis: ['worker'], escrever }));

  comando(programa.command('migrate'))
    .description('atualiza o esquema do banco')
    .action(async () => {
      await sessao.comContainer(async ({ db }) => {
        const [{ total }] = (await db('migracoes').count({ total: '*' })) as [{ total: number }];
        escrever(`Esquema em dia (${total} migrações).`);
      });
    });

  comando(programa.command('demo'))
    .description('carrega os dados de demonstração e grava demo.json')
    .action(async () => {
      await comServidores(mundo, async (container, config, { ownerUrl }) => {
        const url = `http://${localAddress(config.HOST)}:${config.PORT}`;
        const demo = await loadDemonstration({ config, container, ownerUrl, url, escrever: avisar, obrigatoria: true });
        escrever(`Chaves de demonstração em ${demo?.arquivo ?? ''}`);
      });
    });

  comandosDeProvedor(programa, sessao);
  comandosDeChave(programa, sessao);
  comandosDeReceptor(programa, sessao);
  comandosDeCache(programa, sessao);
  comandosDeRecebimento(programa, sessao);
  comandosDeFatura(programa, sessao);
  comandosDeJob(
    programa,
    sessao,
    JOB_NAMES.map((nome) => ({ nome, ...jobDefinitions[nome] })),
  );
  return programa;
}
