import type { Command } from 'commander';
import { TERMINAL } from '../domain/actor.ts';
import type { Escritas } from '../domain/dominio.ts';
import { EntradaInvalida } from '../domain/erros.ts';
import { SITUACOES_PEDIDAS, TIPOS_DE_AVISO } from '../domain/rede/avisos/avisos.types.ts';
import type { AlvoDeAviso, AvisoComAlvos } from '../domain/rede/avisos/avisos.types.ts';
import { comando, grupo, inteiro } from './comando.ts';
import { NO_TERMINAL, SEM_RASTRO } from './leitura.ts';
import type { Sessao } from './sessao.ts';
import { colunas } from './texto.ts';

interface Comuns {
  readonly provedor: number;
  readonly json?: boolean;
}

interface Novo extends Comuns {
  readonly tipo: string;
  readonly titulo: string;
  readonly texto: string;
  readonly inicio?: string;
  readonly previsao?: string;
  readonly nas?: string[];
  readonly pop?: string[];
  readonly plano?: string[];
  readonly cidade?: string[];
  readonly bairro?: string[];
  readonly todos?: true;
}

/** Notices that one command lists. */
const MAIS_LISTADOS = 100;

/** `malha aviso …` */
export function comandosDeAviso(programa: Command, sessao: Sessao): void {
  const aviso = grupo(programa.command('aviso')).description('avisos do que acontece na rede, a quem eles cobrem');

  async function mudar<Feito>(
    { provedor }: Comuns,
    fazer: (avisos: Escritas['avisosDeRede']) => Promise<Feito>,
    dizer: (feito: Feito) => void,
  ): Promise<void> {
    await sessao.comContainer(async ({ provedores, changeTenant }) => {
      const dele = await provedores.exigirPorId(provedor);
      dizer(await changeTenant(TERMINAL, dele, async (_, { avisosDeRede }) => fazer(avisosDeRede)));
    });
  }

  comando(aviso.command('abrir'))
    .usage('--provedor <id> --tipo <tipo> --titulo <título> --texto <texto> <alvos> [opções]')
    .description('abre um aviso; de alvos, ao menos um, e tantas vezes quantos forem')
    .requiredOption('--provedor <id>', 'id do provedor', inteiro)
    .requiredOption('--tipo <tipo>', TIPOS_DE_AVISO.join(', '))
    .requiredOption('--titulo <título>', 'para a equipe reconhecer o aviso')
    .requiredOption('--texto <texto>', 'o que dizer ao assinante')
    .option('--nas <endereço>', 'um servidor, ou uma porta dele: 10.0.0.1/slot=0;port=3', juntar)
    .option('--pop <id>', 'os servidores de um POP', juntar)
    .option('--plano <id>', 'quem tem o plano', juntar)
    .option('--cidade <nome>', 'quem está na cidade', juntar)
    .option('--bairro <cidade/bairro>', 'quem está no bairro', juntar)
    .option('--todos', 'todos os contratos')
    .option('--inicio <instante>', 'quando começa, como 2026-11-30T02:00:00Z; sem isto, agora')
    .option('--previsao <instante>', 'quando se espera que termine')
    .option('--json', 'responde em JSON')
    .action(async (novo: Novo) => {
      const { provedor, json, tipo, titulo, texto, inicio = null, previsao = null } = novo;
      await mudar(
        novo,
        async (avisos) => avisos.abrir({ tipo, titulo, texto, inicio, previsao, alvos: alvosDe(novo) }),
        ({ id }) => sessao.mostrar(json, { id, provedor_id: provedor }, [`Aviso ${id} aberto.`]),
      );
    });

  const deUm = (nome: string, descricao: string): Command =>
    comando(aviso.command(nome))
      .usage('<id> --provedor <id> [opções]')
      .description(descricao)
      .argument('<id>', 'id do aviso', inteiro)
      .requiredOption('--provedor <id>', 'id do provedor', inteiro)
      .option('--json', 'responde em JSON');

  deUm('encerrar', 'encerra um aviso aberto, agora ou desde um instante que já passou')
    .option('--fim <instante>', 'quando acabou, como 2026-11-30T04:10:00Z; sem isto, agora')
    .action(async (id: number, { fim, ...comuns }: Comuns & { readonly fim?: string }) => {
      await mudar(
        comuns,
        async (avisos) => avisos.encerrar(id, { fim: fim ?? null }),
        () => sessao.mostrar(comuns.json, { id, provedor_id: comuns.provedor }, [`Aviso ${id} encerrado.`]),
      );
    });

  deUm('confirmar', 'faz de um aviso detectado um aviso da equipe, que só ela encerra').action(
    async (id: number, comuns: Comuns) => {
      await mudar(
        comuns,
        async (avisos) => avisos.confirmar(id),
        () => sessao.mostrar(comuns.json, { id, provedor_id: comuns.provedor }, [`Aviso ${id} confirmado.`]),
      );
    },
  );

  comando(aviso.command('listar'))
    .usage('--provedor <id> [opções]')
    .description(`lista os últimos ${MAIS_LISTADOS} avisos, o aberto por último primeiro`)
    .requiredOption('--provedor <id>', 'id do provedor', inteiro)
    .option('--situacao <qual>', SITUACOES_PEDIDAS.join(', '), 'abertos')
    .option('--json', 'responde em JSON')
    .action(async ({ provedor, situacao, json }: Comuns & { readonly situacao: string }) => {
      const qual = SITUACOES_PEDIDAS.find((uma) => uma === situacao);
      if (qual === undefined) throw new EntradaInvalida(`situacao: deve ser ${SITUACOES_PEDIDAS.join(', ')}`);
      await sessao.comContainer(async ({ provedores, readTenant }) => {
        const dele = await provedores.exigirPorId(provedor);
        const todos = await readTenant(dele, SEM_RASTRO, NO_TERMINAL, async ({ avisosDeRede }) =>
          avisosDeRede.listar({ situacao: qual }, MAIS_LISTADOS),
        );
        sessao.mostrar(json, todos.map(apresentar), colunas(todos.map(emTexto)));
      });
    });
}

const juntar = (valor: string, antes: readonly string[] = []): string[] => [...antes, valor];

/** What was named, as the domain's form of a notice takes it. */
function alvosDe({ nas = [], pop = [], plano = [], cidade = [], bairro = [], todos }: Novo): readonly object[] {
  if (todos === true) return [{ tipo: 'todos' }];
  return [
    ...nas.map((um) => {
      const [endereco, porta] = partes(um);
      return { tipo: 'nas', nas: endereco, ...(porta === undefined ? {} : { porta }) };
    }),
    ...pop.map((id) => ({ tipo: 'pop', id })),
    ...plano.map((id) => ({ tipo: 'plano', id })),
    ...cidade.map((nome) => ({ tipo: 'cidade', cidade: nome })),
    ...bairro.map((um) => {
      const [dela, nome = ''] = partes(um);
      return { tipo: 'bairro', cidade: dela, bairro: nome };
    }),
  ];
}

/** What stands before the first slash, and what after it. */
function partes(texto: string): [string, string?] {
  const barra = texto.indexOf('/');
  return barra < 0 ? [texto] : [texto.slice(0, barra), texto.slice(barra + 1)];
}

function alvoEmTexto(alvo: AlvoDeAviso): string {
  switch (alvo.tipo) {
    case 'nas':
      return `nas ${alvo.nas}${alvo.porta === undefined ? '' : `/${alvo.porta}`}`;
    case 'pop':
    case 'plano':
      return `${alvo.tipo} ${alvo.id}`;
    case 'cidade':
      return `cidade ${alvo.cidade}`;
    case 'bairro':
      return `bairro ${alvo.cidade}/${alvo.bairro}`;
    case 'todos':
      break;
  }
  return 'todos';
}

const apresentar = (um: AvisoComAlvos) => ({
  id: um.id,
  tipo: um.tipo,
  titulo: um.titulo,
  texto: um.texto,
  situacao: um.situacao,
  origem: um.origem,
  inicio: um.inicio.toISOString(),
  previsao: um.previsao?.toISOString() ?? null,
  fim: um.fim?.toISOString() ?? null,
  confirmado_em: um.confirmadoEm?.toISOString() ?? null,
  quedas: um.quedas,
  alvos: um.alvos,
});

const emTexto = (um: AvisoComAlvos): string[] => [
  String(um.id),
  um.situacao,
  um.tipo,
  um.origem,
  um.inicio.toISOString(),
  um.titulo,
  um.alvos.map(alvoEmTexto).join(', '),
];
