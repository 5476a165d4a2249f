import { Command, InvalidArgumentError } from 'commander';
import { PERMISSOES, LIMITE_MAXIMO, LIMITE_PADRAO } from './domain/chaves/chaves.types.ts';
import type { Permissao } from './domain/chaves/chaves.types.ts';
import { EntradaInvalida } from './domain/erros.ts';
import { createContainer } from './container.ts';
import type { Container } from './container.ts';
import { demonstrar, enderecoLocal, iniciar, migrar } from './main.ts';
import { ConfigError, MAIS_PROCESSOS, loadConfig } from './platform/config.ts';
import type { Config } from './platform/config.ts';
import { errorText } from './platform/logger.ts';
import { provideServers } from './platform/private-servers/provide.ts';
import { relogioDoSistema } from './platform/relogio.ts';
import { servir } from './processos.ts';

const escrever = (linha: string): void => console.log(linha);
const avisar = (linha: string): void => console.error(linha);

/** Runs one short command on the servers of the settings, of the running service, or of its own. */
async function comContainer(tarefa: (container: Container, config: Config) => Promise<void>): Promise<void> {
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
      await tarefa(container, config);
    } finally {
      await container.close();
    }
  } finally {
    await servers.stop();
  }
}

/** Prints what a command found: JSON for programs, else lines for people. */
function mostrar(json: boolean | undefined, valor: unknown, linhas: readonly string[]): void {
  if (json === true) escrever(JSON.stringify(valor, null, 2));
  else for (const linha of linhas) escrever(linha);
}

const inteiro = (texto: string): number => {
  if (!/^\d{1,15}$/.test(texto)) throw new InvalidArgumentError('deve ser um número inteiro.');
  return Number(texto);
};

const lista = (texto: string): string[] => texto.split(',').map((parte) => parte.trim());

const instante = (texto: string): Date => {
  const momento = new Date(texto);
  if (Number.isNaN(momento.getTime())) throw new InvalidArgumentError('deve ser uma data ISO 8601, como 2027-01-31.');
  return momento;
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
    await comContainer(async ({ db }) => {
      const [{ total }] = (await db('migracoes').count({ total: '*' })) as [{ total: number }];
      escrever(`Esquema em dia (${total} migrações).`);
    });
  });

comando(programa.command('demo'))
  .description('carrega os dados de demonstração e grava demo.json')
  .action(async () => {
    await comContainer(async (container, config) => {
      const url = `http://${enderecoLocal(config.HOST)}:${config.PORT}`;
      const demo = await demonstrar({ config, container, url, escrever: avisar, obrigatoria: true });
      escrever(`Chaves de demonstração em ${demo?.arquivo ?? ''}`);
    });
  });

const provedor = grupo(programa.command('provedor')).description('provedores (inquilinos)');

comando(provedor.command('criar'))
  .description('cadastra um provedor')
  .requiredOption('--nome <nome>', 'nome do provedor')
  .requiredOption('--host <host>', 'host do painel, da API e das páginas, como painel.exemplo.com.br')
  .option('--fuso <fuso>', 'fuso horário IANA', 'America/Sao_Paulo')
  .option('--json', 'responde em JSON')
  .action(async (opcoes: { nome: string; host: string; fuso: string; json?: boolean }) => {
    await comContainer(async ({ provedores }) => {
      const { nome, host: panelHost, fuso: fusoHorario } = opcoes;
      const criado = await provedores.criar({ nome, panelHost, fusoHorario });
      const valor = {
        id: criado.id,
        nome: criado.nome,
        panel_host: criado.panelHost,
        fuso_horario: criado.fusoHorario,
      };
      mostrar(opcoes.json, valor, [`Provedor ${criado.id} criado: ${criado.nome} (${criado.panelHost})`]);
    });
  });

comando(provedor.command('listar'))
  .description('lista os provedores')
  .option('--json', 'responde em JSON')
  .action(async ({ json }: { json?: boolean }) => {
    await comContainer(async ({ provedores }) => {
      const todos = await provedores.listar();
      mostrar(
        json,
        todos.map((p) => ({ id: p.id, nome: p.nome, panel_host: p.panelHost, fuso_horario: p.fusoHorario })),
        todos.map((p) => `${p.id}  ${p.nome}  ${p.panelHost}  ${p.fusoHorario}`),
      );
    });
  });

const chave = grupo(programa.command('chave')).description('chaves da API pública');

interface OpcoesDaChave {
  provedor: number;
  nome: string;
  permissoes: string[];
  ips?: string[];
  limite: number;
  expira?: Date;
  json?: boolean;
}

comando(chave.command('criar'))
  .description('cria uma chave; o texto é mostrado uma única vez')
  .requiredOption('--provedor <id>', 'provedor dono da chave', inteiro)
  .requiredOption('--nome <nome>', 'sistema que vai usar a chave')
  .requiredOption('--permissoes <lista>', `separadas por vírgula, ou "todas": ${PERMISSOES.join(', ')}`, lista)
  .option('--ips <lista>', 'endereços e faixas CIDR de origem permitidos, separados por vírgula', lista)
  .option('--limite <n>', `requisições por minuto, até ${LIMITE_MAXIMO}`, inteiro, LIMITE_PADRAO)
  .option('--expira <data>', 'validade, ISO 8601', instante)
  .option('--json', 'responde em JSON')
  .action(async (opcoes: OpcoesDaChave) => {
    await comContainer(async ({ chaves, provedores }) => {
      if ((await provedores.buscarPorId(opcoes.provedor)) === null) {
        throw new EntradaInvalida(`provedor ${opcoes.provedor} não existe`);
      }
      const todas = opcoes.permissoes.length === 1 && opcoes.permissoes[0] === 'todas';
      const { id, texto } = await chaves.criar(opcoes.provedor, {
        nome: opcoes.nome,
        permissoes: todas ? PERMISSOES : (opcoes.permissoes as Permissao[]),
        ipsPermitidos: opcoes.ips ?? null,
        limitePorMinuto: opcoes.limite,
        expiraEm: opcoes.expira ?? null,
      });
      mostrar(opcoes.json, { id, provedor_id: opcoes.provedor, chave: texto }, [
        `Chave ${id} criada. Guarde-a agora: ela não será mostrada de novo.`,
        texto,
      ]);
    });
  });

comando(chave.command('listar'))
  .description('lista as chaves de um provedor, sem os textos')
  .requiredOption('--provedor <id>', 'provedor', inteiro)
  .option('--json', 'responde em JSON')
  .action(async (opcoes: { provedor: number; json?: boolean }) => {
    await comContainer(async ({ chaves }) => {
      const todas = await chaves.listar(opcoes.provedor);
      const valor = todas.map((c) => ({
        id: c.id,
        nome: c.nome,
        inicio: c.inicio,
        permissoes: c.permissoes,
        ips_permitidos: c.ipsPermitidos,
        limite_por_minuto: c.limitePorMinuto,
        expira_em: c.expiraEm,
        revogada_em: c.revogadaEm,
        criada_em: c.criadaEm,
      }));
      const linhas = todas.map((c) => {
        const estado = c.revogadaEm === null ? 'ativa' : `revogada em ${c.revogadaEm.toISOString()}`;
        return `${c.id}  ${c.inicio}…  ${c.nome}  ${c.limitePorMinuto}/min  ${estado}  ${c.permissoes.join(',')}`;
      });
      mostrar(opcoes.json, valor, linhas);
    });
  });

comando(chave.command('revogar'))
  .usage('<id> [opções]')
  .description('revoga uma chave; vale a partir do momento em que o comando responde')
  .argument('<id>', 'id da chave', inteiro)
  .requiredOption('--provedor <id>', 'provedor dono da chave', inteiro)
  .option('--json', 'responde em JSON')
  .action(async (id: number, opcoes: { provedor: number; json?: boolean }) => {
    await comContainer(async ({ chaves }) => {
      if (!(await chaves.revogar(opcoes.provedor, id))) {
        throw new EntradaInvalida(`o provedor ${opcoes.provedor} não tem a chave ${id}`);
      }
      mostrar(opcoes.json, { id, provedor_id: opcoes.provedor, revogada: true }, [`Chave ${id} revogada.`]);
    });
  });

/** A command whose help and complaints are in Portuguese. */
function comando(command: Command): Command {
  const titulos: Readonly<Record<string, string>> = {
    'Usage:': 'Uso:',
    'Options:': 'Opções:',
    'Commands:': 'Comandos:',
    'Arguments:': 'Argumentos:',
  };
  return command
    .usage('[opções]')
    .helpOption('-h, --help', 'mostra esta ajuda')
    .configureHelp({
      styleTitle: (titulo) => titulos[titulo] ?? titulo,
      optionDescription: ({ description, defaultValue }) =>
        defaultValue === undefined ? description : `${description} (padrão: ${String(defaultValue)})`,
    })
    .configureOutput({ outputError: (texto, write) => write(emPortugues(texto)) });
}

/** A command that only holds others. */
function grupo(command: Command): Command {
  return comando(command).usage('<comando> [opções]').helpCommand('help [comando]', 'mostra a ajuda de um comando');
}

function emPortugues(texto: string): string {
  return texto
    .replace(/^error: /, 'erro: ')
    .replace(/required option '(.+)' not specified/, "falta a opção '$1'")
    .replace(/missing required argument '(.+)'/, "falta o argumento '$1'")
    .replace(/unknown command '(.+)'/, "comando desconhecido '$1'")
    .replace(/unknown option '(.+)'/, "opção desconhecida '$1'")
    .replace(/too many arguments.*/, 'argumentos demais')
    .replace(/option '(.+)' argument missing/, "falta o valor da opção '$1'")
    .replace(/option '(.+)' argument '(.*)' is invalid\./, "a opção '$1' não aceita '$2':")
    .replace(/command-argument value '(.*)' is invalid for argument '(.+)'\./, "o argumento '$2' não aceita '$1':")
    .replace(/\(Did you mean (.+)\?\)/, '(seria $1?)');
}

try {
  await programa.parseAsync();
} catch (error) {
  // What a person can mend is said in a line; anything else keeps its frames, and no data.
  const esperado = error instanceof EntradaInvalida || error instanceof ConfigError;
  if (esperado || (error instanceof Error && error.constructor === Error)) avisar(`erro: ${error.message}`);
  else avisar(errorText(error));
  process.exitCode = 1;
}
