import type { Command } from 'commander';
import { TERMINAL } from '../domain/actor.ts';
import { LIMITE_MAXIMO, LIMITE_PADRAO, PERMISSOES, RESTRICOES, SEM_RESTRICAO } from '../domain/chaves/chaves.types.ts';
import type { Permissao, Restricao } from '../domain/chaves/chaves.types.ts';
import { EntradaInvalida } from '../domain/erros.ts';
import { comando, grupo, instante, inteiro, lista } from './comando.ts';
import type { Sessao } from './sessao.ts';

interface OpcoesDaChave {
  provedor: number;
  nome: string;
  permissoes: string[];
  restricoes?: string[];
  ips?: string[];
  limite: number;
  expira?: Date;
  json?: boolean;
}

interface OpcoesDaAlteracao extends Partial<Omit<OpcoesDaChave, 'provedor'>> {
  provedor: number;
  semValidade?: boolean;
}

/** `malha chave …` */
export function comandosDeChave(programa: Command, sessao: Sessao): void {
  const chave = grupo(programa.command('chave')).description('chaves da API pública');

  comando(chave.command('criar'))
    .description('cria uma chave; o texto é mostrado uma única vez')
    .requiredOption('--provedor <id>', 'provedor dono da chave', inteiro)
    .requiredOption('--nome <nome>', 'sistema que vai usar a chave')
    .requiredOption('--permissoes <lista>', `separadas por vírgula, ou "todas": ${PERMISSOES.join(', ')}`, lista)
    .option(
      '--restricoes <lista>',
      `o que a chave não alcança; de um chatbot, as duas: ${RESTRICOES.join(', ')}`,
      lista,
    )
    .option('--ips <lista>', 'endereços e faixas CIDR de origem permitidos, separados por vírgula', lista)
    .option('--limite <n>', `requisições por minuto, até ${LIMITE_MAXIMO}`, inteiro, LIMITE_PADRAO)
    .option('--expira <data>', 'validade, ISO 8601', instante)
    .option('--json', 'responde em JSON')
    .action(async (opcoes: OpcoesDaChave) => {
      await sessao.comContainer(async ({ chaves, provedores }) => {
        await provedores.exigirPorId(opcoes.provedor);
        const todas = opcoes.permissoes.length === 1 && opcoes.permissoes[0] === 'todas';
        const restricoes = (opcoes.restricoes ?? []) as Restricao[];
        const podeTer = PERMISSOES.filter((uma) => restricoes.length === 0 || !SEM_RESTRICAO.includes(uma));
        const { id, texto } = await chaves.criar(TERMINAL, opcoes.provedor, {
          nome: opcoes.nome,
          permissoes: todas ? podeTer : (opcoes.permissoes as Permissao[]),
          restricoes,
          ipsPermitidos: opcoes.ips ?? null,
          limitePorMinuto: opcoes.limite,
          expiraEm: opcoes.expira ?? null,
        });
        sessao.mostrar(opcoes.json, { id, provedor_id: opcoes.provedor, chave: texto }, [
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
      await sessao.comContainer(async ({ chaves }) => {
        const todas = await chaves.listar(opcoes.provedor);
        const valor = todas.map((c) => ({
          id: c.id,
          nome: c.nome,
          inicio: c.inicio,
          permissoes: c.permissoes,
          restricoes: c.restricoes,
          ips_permitidos: c.ipsPermitidos,
          limite_por_minuto: c.limitePorMinuto,
          expira_em: c.expiraEm,
          revogada_em: c.revogadaEm,
          criada_em: c.criadaEm,
        }));
        const linhas = todas.map((c) => {
          const estado = c.revogadaEm === null ? 'ativa' : `revogada em ${c.revogadaEm.toISOString()}`;
          return `${c.id}  ${c.inicio}…  ${c.nome}  ${c.limitePorMinuto}/min  ${estado}  ${c.permissoes.join(',')}${c.restricoes.length === 0 ? '' : `  (${c.restricoes.join(',')})`}`;
        });
        sessao.mostrar(opcoes.json, valor, linhas);
      });
    });

  comando(chave.command('alterar'))
    .usage('<id> [opções]')
    .description(
      'muda o que for dito de uma chave, que só perde permissões e só ganha restrições; vale quando o comando responde',
    )
    .argument('<id>', 'id da chave', inteiro)
    .requiredOption('--provedor <id>', 'provedor dono da chave', inteiro)
    .option('--nome <nome>', 'sistema que usa a chave')
    .option('--permissoes <lista>', 'as que ficam, separadas por vírgula', lista)
    .option('--restricoes <lista>', `as que passa a ter, que ninguém mais tira: ${RESTRICOES.join(', ')}`, lista)
    .option('--ips <lista>', 'endereços e faixas CIDR permitidos, separados por vírgula; "" permite todos', lista)
    .option('--limite <n>', `requisições por minuto, até ${LIMITE_MAXIMO}`, inteiro)
    .option('--expira <data>', 'validade, ISO 8601', instante)
    .option('--sem-validade', 'deixa de expirar')
    .option('--json', 'responde em JSON')
    .action(async (id: number, opcoes: OpcoesDaAlteracao) => {
      const { provedor, json, semValidade, ips, ...ditos } = opcoes;
      const dados = {
        ...ditos,
        ...(ips === undefined ? {} : { ips: ips.filter((ip) => ip !== '') }),
        ...(semValidade === true ? { expira: null } : {}),
      };
      await sessao.comContainer(async ({ chaves }) => {
        const mudados = await chaves.alterar(TERMINAL, provedor, id, dados);
        const dito = mudados.length === 0 ? 'nada mudou' : `mudou: ${mudados.join(', ')}`;
        sessao.mostrar(json, { id, provedor_id: provedor, mudados }, [`Chave ${id}: ${dito}.`]);
      });
    });

  comando(chave.command('renovar'))
    .usage('<id> [opções]')
    .description('cria outra chave igual, de texto novo, mostrado uma única vez; a antiga expira')
    .argument('<id>', 'id da chave', inteiro)
    .requiredOption('--provedor <id>', 'provedor dono da chave', inteiro)
    .option('--dias <n>', 'por quantos dias a antiga ainda vale, de 0 a 7', inteiro, 0)
    .option('--json', 'responde em JSON')
    .action(async (id: number, opcoes: { provedor: number; dias: number; json?: boolean }) => {
      const { provedor, dias, json } = opcoes;
      await sessao.comContainer(async ({ chaves }) => {
        const nova = await chaves.renovar(TERMINAL, provedor, id, { dias });
        const valor = { id: nova.id, provedor_id: provedor, chave: nova.texto, antiga_ate: nova.antigaAte };
        sessao.mostrar(json, valor, [
          `Chave ${nova.id} criada no lugar da ${id}, que vale até ${nova.antigaAte.toISOString()}.`,
          'Guarde-a agora: ela não será mostrada de novo.',
          nova.texto,
        ]);
      });
    });

  comando(chave.command('revogar'))
    .usage('<id> [opções]')
    .description('revoga uma chave; vale a partir do momento em que o comando responde')
    .argument('<id>', 'id da chave', inteiro)
    .requiredOption('--provedor <id>', 'provedor dono da chave', inteiro)
    .option('--json', 'responde em JSON')
    .action(async (id: number, opcoes: { provedor: number; json?: boolean }) => {
      await sessao.comContainer(async ({ chaves }) => {
        if (!(await chaves.revogar(TERMINAL, opcoes.provedor, id))) {
          throw new EntradaInvalida(`o provedor ${opcoes.provedor} não tem a chave ${id}`);
        }
        sessao.mostrar(opcoes.json, { id, provedor_id: opcoes.provedor, revogada: true }, [`Chave ${id} revogada.`]);
      });
    });
}
