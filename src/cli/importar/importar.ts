import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import { CODIFICACOES, FORMATOS, TIPOS } from '../../domain/importacoes/importacoes.types.ts';
import type { Acao, Importacao } from '../../domain/importacoes/importacoes.types.ts';
import { comando, grupo, inteiro, lista } from '../comando.ts';
import type { Sessao } from '../sessao.ts';
import { colunas, contar, numero } from '../texto.ts';
import { abrirArquivo, lerMapa } from './arquivos.ts';
import { comandosDeConferencia } from './conferencia.ts';
import { esperarPor } from './espera.ts';
import { apresentar, linhasDe, resumo } from './telas.ts';

interface OpcoesDoProvedor {
  readonly provedor: number;
  readonly json?: boolean;
}

interface OpcoesDoMapa {
  readonly mapa?: string;
  readonly planoPadrao?: number;
  readonly cobrador?: number;
  readonly criarPlanos?: boolean;
  readonly tolerar?: string[];
}

interface OpcoesDoNovo extends OpcoesDoProvedor, OpcoesDoMapa {
  readonly formato?: string;
  readonly tipo?: string;
  readonly codificacao?: string;
  readonly separador?: string;
  readonly semCabecalho?: boolean;
  readonly semAspas?: boolean;
}

type OpcoesDaAcao = OpcoesDoProvedor & {
  readonly semEsperar?: boolean;
  readonly avisar?: boolean;
  readonly sim?: boolean;
  readonly semSenha?: string;
};

/** Options that are a part of the map. */
const comMapa = (um: Command): Command =>
  um
    .option('--mapa <arquivo>', 'JSON com o que muda no mapa: colunas, planos, cidades; veja docs/importacao.md')
    .option('--plano-padrao <id>', 'plano das linhas cujo plano não existe', inteiro)
    .option('--cobrador <id>', 'conta de cobrança das linhas que não dizem nenhuma', inteiro)
    .option('--criar-planos', 'cria os planos que não existem, pelo nome e pelo valor da linha')
    .option('--tolerar <campos>', 'campos que ficam de fora quando não se leem, como telefones,email', lista);

/** `malha importar …` */
export function comandosDeImportar(programa: Command, sessao: Sessao): void {
  const importar = grupo(programa.command('importar')).description('traz planos, clientes e faturas de outro sistema');
  const doProvedor = (um: Command): Command =>
    comando(um).requiredOption('--provedor <id>', 'provedor', inteiro).option('--json', 'responde em JSON');

  comMapa(doProvedor(importar.command('novo')))
    .usage('<arquivo> [opções]')
    .description('recebe um arquivo CSV, cifrado, e reconhece o que é; nada mais se grava')
    .argument('<arquivo>', 'arquivo, ou - para a entrada padrão')
    .option('--formato <formato>', FORMATOS.join(', '))
    .option('--tipo <tipo>', TIPOS.join(', '))
    .option('--codificacao <codificacao>', CODIFICACOES.join(', '))
    .option('--separador <sinal>', '; , | ou tab', (texto: string) => (texto === 'tab' ? '\t' : texto))
    .option('--sem-cabecalho', 'a primeira linha já é de dados; as colunas se chamam coluna_1, coluna_2 …')
    .option('--sem-aspas', 'aspas no começo de uma célula não juntam o que vem depois')
    .action(async (arquivo: string, opcoes: OpcoesDoNovo) => {
      const { provedor, json, formato, tipo, codificacao, separador, semCabecalho, semAspas } = opcoes;
      const mapa = await lerMapa(opcoes);
      const dados = semAusentes({
        arquivo: arquivo === '-' ? undefined : arquivo,
        formato,
        tipo,
        codificacao,
        separador,
        cabecalho: semCabecalho === true ? false : undefined,
        aspas: semAspas === true ? false : undefined,
      });
      await sessao.comContainer(async ({ importacoes }) => {
        const criada = await importacoes.criar(TERMINAL, provedor, await abrirArquivo(arquivo, sessao), dados);
        const pronta = mapa === null ? criada : await importacoes.mapear(TERMINAL, provedor, criada.id, mapa);
        sessao.mostrar(json, apresentar(pronta), linhasDe(pronta));
      });
    });

  comMapa(doProvedor(importar.command('mapear')))
    .usage('<id> [opções]')
    .description('muda o que cada coluna é, antes de executar')
    .argument('<id>', 'importação', inteiro)
    .action(async (id: number, opcoes: OpcoesDoProvedor & OpcoesDoMapa) => {
      const mapa = await lerMapa(opcoes);
      await sessao.comContainer(async ({ importacoes }) => {
        const mapeada = await importacoes.mapear(TERMINAL, opcoes.provedor, id, mapa ?? {});
        sessao.mostrar(opcoes.json, apresentar(mapeada), linhasDe(mapeada));
      });
    });

  /** A command that puts an action on the queue, and waits for it. */
  function acao(nome: string, qual: Acao, descricao: string): Command {
    return doProvedor(importar.command(nome))
      .usage('<id> [opções]')
      .description(descricao)
      .argument('<id>', 'importação', inteiro)
      .option('--sem-esperar', 'só põe na fila')
      .action(async (id: number, opcoes: OpcoesDaAcao) => pedir(id, qual, opcoes));
  }

  async function pedir(
    id: number,
    qual: Acao,
    { provedor, json, semEsperar, avisar, semSenha }: OpcoesDaAcao,
  ): Promise<void> {
    await sessao.comFilas(async (filas, servicos) => {
      const pedida = await servicos.importacoes.pedir(TERMINAL, provedor, id, qual, {
        avisar: avisar === true,
        semSenha: semSenha === 'aceitar',
      });
      await filas.fila.add('importacao.executar', { provedorId: provedor });
      if (semEsperar === true) {
        sessao.mostrar(json, apresentar(pedida), [`Na fila: importação ${id}.`]);
        return;
      }
      await sessao.comCtrlC(async (signal) => {
        const fim = await esperarPor({ id, provedor, acao: qual, filas, servicos, sessao, signal });
        if (fim === null) return;
        sessao.mostrar(json, apresentar(fim), resumo(fim, qual));
        if (fim.motivo !== null) throw new Error(fim.motivo);
      });
    });
  }

  acao('simular', 'simular', 'lê e julga todas as linhas sem gravar nada, e diz o que entraria');
  acao('executar', 'executar', 'grava as linhas boas; interrompida, continua de onde parou').option(
    '--avisar',
    'conta aos webhooks cada cliente, contrato e fatura; sem isto, só que a importação se executou',
  );
  acao('desfazer', 'desfazer', 'apaga o que entrou, nas primeiras 24 horas, salvo o que alguém já tocou');

  doProvedor(importar.command('aplicar-rede'))
    .usage('<id> [opções]')
    .description('leva ao RADIUS os logins importados, com as suas senhas e bloqueios; diz quantos antes')
    .argument('<id>', 'importação', inteiro)
    .option('--sim', 'aplica; sem isto, só diz quantos seriam')
    .addOption(
      new Option('--sem-senha <o-que-fazer>', 'aceitar: aplica também com contratos ativos sem senha').choices([
        'aceitar',
      ]),
    )
    .option('--sem-esperar', 'só põe na fila')
    .action(async (id: number, opcoes: OpcoesDaAcao) => {
      if (opcoes.sim === true) {
        await pedir(id, 'aplicar_rede', opcoes);
        return;
      }
      await sessao.comContainer(async ({ importacoes }) => {
        const previsto = await importacoes.previstoNaRede(opcoes.provedor, id);
        const { ativos, bloqueados, senhas, semSenha, semSenhaIds, jaNoRadius, jaNoRadiusIds, dias } = previsto;
        sessao.mostrar(opcoes.json, previsto, [
          `${ativos + bloqueados === 1 ? 'Iria' : 'Iriam'} à rede ${contar(ativos + bloqueados, 'login', 'logins')}: ${contar(ativos, 'liberado', 'liberados')} e ${contar(bloqueados, 'bloqueado', 'bloqueados')}; ${numero(senhas)} com senha do arquivo.`,
          `O arquivo se gravou ${dias === 0 ? 'há menos de um dia' : `há ${contar(dias, 'dia', 'dias')}`}: o que mudou no outro sistema desde então não está aqui.`,
          ...(jaNoRadius === 0
            ? []
            : [
                `Já têm senha no FreeRADIUS, que a do arquivo substitui: ${contar(jaNoRadius, 'contrato', 'contratos')}: ${emLista(jaNoRadiusIds, jaNoRadius)}. Se ele serve também quem não está aqui, confira de quem são estes logins.`,
              ]),
          ...(semSenha === 0
            ? ['Para os aplicar, repita com --sim.']
            : [
                `Sem senha nenhuma: ${contar(semSenha, 'contrato ativo', 'contratos ativos')}, por quem ninguém entra: ${emLista(semSenhaIds, semSenha)}.`,
                'Para os aplicar mesmo assim, repita com --sim --sem-senha aceitar.',
              ]),
        ]);
      });
    });

  doProvedor(importar.command('estado'))
    .usage('<id> [opções]')
    .description('mostra uma importação: o que é, o seu mapa, e até onde foi')
    .argument('<id>', 'importação', inteiro)
    .action(async (id: number, { provedor, json }: OpcoesDoProvedor) => {
      await sessao.comContainer(async ({ importacoes }) => {
        const importacao = await importacoes.exigir(provedor, id);
        sessao.mostrar(json, apresentar(importacao), linhasDe(importacao));
      });
    });

  doProvedor(importar.command('listar'))
    .description('lista as importações, a mais nova primeiro')
    .option('--limite <n>', 'quantas, no máximo', quantas, 50)
    .action(async ({ provedor, json, limite }: OpcoesDoProvedor & { limite: number }) => {
      await sessao.comContainer(async ({ importacoes }) => {
        const todas = await importacoes.listar(provedor, limite);
        sessao.mostrar(json, todas.map(apresentar), colunas(todas.map(emColunas)));
      });
    });

  comandosDeConferencia(importar, sessao);
}

const MAIS_IMPORTACOES = 1000;

const quantas = (texto: string): number => {
  const n = inteiro(texto);
  if (n < 1 || n > MAIS_IMPORTACOES) throw new InvalidArgumentError(`deve ser de 1 a ${MAIS_IMPORTACOES}.`);
  return n;
};

const emColunas = ({ id, arquivo, formato, tipo, situacao, acao, contagens }: Importacao): string[] => [
  String(id),
  `${formato}/${tipo}`,
  acao === null ? situacao : `${situacao} (${acao})`,
  `${numero(contagens.gravadas)} de ${numero(contagens.lidas)}`,
  arquivo,
];

/** The first of so many. */
const emLista = (ids: readonly number[], todos: number): string => `${ids.join(', ')}${todos > ids.length ? ' …' : ''}`;

function semAusentes(dados: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(dados).filter(([, valor]) => valor !== undefined));
}
