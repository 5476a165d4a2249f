import { Command, InvalidArgumentError } from 'commander';
import { comandosDeChave } from './cli/chave.ts';
import { comando, grupo, inteiro } from './cli/comando.ts';
import { comandosDeJob } from './cli/job.ts';
import { comandosDeProvedor } from './cli/provedor.ts';
import { comandosDeReceptor } from './cli/receptor.ts';
import type { Sessao } from './cli/sessao.ts';
import { EntradaInvalida } from './domain/erros.ts';
import { createContainer } from './container.ts';
import type { Container } from './container.ts';
import { abrirFilas } from './filas.ts';
import { enderecoLocal } from './gestao.ts';
import { demonstrar, iniciar, migrar } from './main.ts';
import { ConfigError, MAIS_PROCESSOS, loadConfig } from './platform/config.ts';
import type { Config } from './platform/config.ts';
import { errorText } from './platform/logger.ts';
import { provideServers } from './platform/private-servers/provide.ts';
import { JOB_NAMES } from './platform/queues/jobs.ts';
import { relogioDoSistema } from './platform/relogio.ts';
import { servir } from './processos.ts';

const escrever = (linha: string): void => console.log(linha);
const avisar = (linha: string): void => console.error(linha);

type Tarefa = (container: Container, config: Config, redisUrl: string) => Promise<void>;

async function comServidores(tarefa: Tarefa): Promise<void> {
  const config = loadConfig(process.env);
  const servers = await provideServers({
    databaseUrl: config.DATABASE_URL,
    ownerUrl: config.DATABASE_OWNER_URL,
    redisUrl: config.REDIS_URL,
    dataDir: config.MALHA_DATA_DIR,
    log: avisar,
    attach: true,
  });
  try {
    await migrar(servers);
    const container = createContainer({ config, ...servers, relogio: relogioDoSistema });
    try {
      await container.redisReady();
      await tarefa(container, config, servers.redisUrl);
    } finally {
      await container.close();
    }
  } finally {
    await servers.stop();
  }
}

const sessao: Sessao = {
  comContainer: async (tarefa) => comServidores(tarefa),

  comFilas: async (tarefa) =>
    comServidores(async (container, config, redisUrl) =>
      abrirFilas(config.QUEUE_REDIS_URL ?? redisUrl, async (filas) => tarefa(filas, container)),
    ),

  mostrar(json, valor, linhas) {
    if (json === true) escrever(JSON.stringify(valor, null, 2));
    else for (const linha of linhas) escrever(linha);
  },

  tela: {
    interativa: process.stderr.isTTY,
    largura: () => process.stderr.columns,
    escrever: (texto) => void process.stderr.write(texto),
  },

  async comCtrlC(tarefa) {
    const controle = new AbortController();
    const aoInterromper = (): void => controle.abort();
    process.once('SIGINT', aoInterromper);
    try {
      return await tarefa(controle.signal);
    } finally {
      process.off('SIGINT', aoInterromper);
    }
  },

  terminarCom(codigo) {
    process.exitCode = codigo;
  },
};

const programa = grupo(new Command('malha'))
  .description(
    'Malha: back office multi-inquilino para provedores de internet.\nAs configurações vêm do ambiente; veja o README.',
  )
  .version('1.0.0', '-v, --version', 'mostra a versão');

comando(programa.command('start'))
  .description('serve a API e executa as tarefas de fundo num só processo; é o que npm start faz')
  .action(async () => iniciar({ config: loadConfig(process.env), papeis: ['api', 'worker'], escrever }));

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
    const config = loadConfig(process.env);
    await servir({ config: processos === undefined ? config : { ...config, MALHA_PROCESSOS: processos }, escrever });
  });

comando(programa.command('worker'))
  .description('executa as tarefas de fundo')
  .action(async () => iniciar({ config: loadConfig(process.env), papeis: ['worker'], escrever }));

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
    await sessao.comContainer(async (container, config) => {
      const url = `http://${enderecoLocal(config.HOST)}:${config.PORT}`;
      const demo = await demonstrar({ config, container, url, escrever: avisar, obrigatoria: true });
      escrever(`Chaves de demonstração em ${demo?.arquivo ?? ''}`);
    });
  });

comandosDeProvedor(programa, sessao);
comandosDeChave(programa, sessao);
comandosDeReceptor(programa, sessao);
comandosDeJob(programa, sessao, JOB_NAMES);

try {
  await programa.parseAsync();
} catch (error) {
  // What a person can mend is said in a line; anything else keeps its frames, and no data.
  const esperado = error instanceof EntradaInvalida || error instanceof ConfigError;
  if (esperado || (error instanceof Error && error.constructor === Error)) avisar(`erro: ${error.message}`);
  else avisar(errorText(error));
  process.exitCode = 1;
}
