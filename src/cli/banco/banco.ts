import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { TERMINAL } from '../../domain/actor.ts';
import { NOMES_DOS_BANCOS } from '../../domain/boletos/convenios/convenios.types.ts';
import type { Gerada } from '../../domain/boletos/remessas/geracao.ts';
import { EntradaInvalida } from '../../domain/erros.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import { ler, mudar } from '../fatura/comum.ts';
import { camposDigitados, comCampos, doProvedor } from '../formulario.ts';
import type { Campos, Digitados, DoProvedor } from '../formulario.ts';
import type { Sessao } from '../sessao.ts';
import { colunas } from '../texto.ts';

type Opcoes = DoProvedor & Digitados;

const DO_CONVENIO: Campos = {
  nome: 'nome do convênio',
  agencia: 'agência ou cooperativa',
  agencia_dv: 'dígito da agência',
  conta: 'conta corrente',
  conta_dv: 'dígito da conta',
  carteira: 'carteira',
  variacao: 'variação (Banco do Brasil)',
  codigo: 'código que o banco deu: cliente, beneficiário, convênio ou operação',
  codigo_transmissao: 'código de transmissão (Santander)',
  posto: 'posto (Sicredi)',
  juros_ao_mes: 'por cento ao mês, como 1',
  multa: 'por cento, como 2',
  baixa_em_dias: 'dias depois do vencimento em que o banco baixa; vazio: o combinado',
  ajustes: 'o que o banco pede de outro jeito, em JSON',
  proximo_nsa: 'próximo número de arquivo, só para a frente',
  proximo_numero: 'próximo nosso número, só para a frente',
};

const DO_NOVO: Campos = { ...DO_CONVENIO, cobrador_id: 'conta de cobrança', banco: 'três dígitos, como 756' };

interface DoArquivo extends DoProvedor {
  readonly saida?: string;
}

/** `malha banco …` */
export function comandosDeBanco(programa: Command, sessao: Sessao): void {
  const banco = grupo(programa.command('banco')).description('convênios bancários, remessas e retornos de boletos');
  comandosDeConvenio(banco, sessao);
  comandosDeRemessa(banco, sessao);

  const retorno = grupo(banco.command('retorno')).description('arquivos de retorno dos bancos');
  doProvedor(comando(retorno.command('arquivo')))
    .usage('<arquivo> --provedor <id> [opções]')
    .description('recebe um arquivo de retorno e o aplica; o mesmo arquivo não conta duas vezes')
    .argument('<arquivo>', 'arquivo do banco, como veio')
    .option('--convenio <id>', 'de que convênio é, onde o arquivo serve a mais de um', inteiro)
    .action(async (arquivo: string, opcoes: DoProvedor & { readonly convenio?: number }) => {
      const bytes = await readFile(arquivo).catch(() => {
        throw new EntradaInvalida(`arquivo: não foi possível ler ${arquivo}`);
      });
      await sessao.comContainer(async (servicos) => {
        const { arquivosDeRetorno } = servicos;
        const nome = arquivo.split('/').at(-1) ?? arquivo;
        const { provedor, convenio = null } = opcoes;
        const { id, repetido } = await arquivosDeRetorno.receber(TERMINAL, provedor, bytes, nome, convenio);
        const { signal } = new AbortController();
        await arquivosDeRetorno.processar(TERMINAL, opcoes.provedor, id, { signal });
        const feito = await ler(servicos, opcoes.provedor, async ({ retornos }) => retornos.retorno(id));
        sessao.mostrar(opcoes.json, { id, repetido, linhas: feito.linhas, contas: feito.contas }, [
          repetido
            ? `Este arquivo já tinha sido recebido: é o retorno ${id}.`
            : `Retorno ${id}: ${feito.linhas} linhas.`,
          ...colunas(Object.entries(feito.contas).map(([nomeDaConta, quantas]) => [nomeDaConta, String(quantas)])),
        ]);
      });
    });
  doProvedor(comando(retorno.command('linhas')))
    .usage('<id> --provedor <id> [opções]')
    .description('o que cada linha de um retorno fez')
    .argument('<id>', 'id do retorno', inteiro)
    .option('--depois <linha>', 'a partir da linha seguinte a esta', inteiro, 0)
    .action(async (id: number, opcoes: DoProvedor & { readonly depois: number }) => {
      await sessao.comContainer(async (servicos) => {
        const linhas = await ler(servicos, opcoes.provedor, async ({ retornos }) =>
          retornos.linhas(id, null, opcoes.depois),
        );
        sessao.mostrar(
          opcoes.json,
          linhas,
          colunas(
            linhas.map(({ linha, movimento, resultado, numero, fatura_id: fatura, valor }) => [
              String(linha),
              movimento,
              resultado,
              numero,
              String(fatura ?? '-'),
              valor,
            ]),
          ),
        );
      });
    });
}

function comandosDeConvenio(banco: Command, sessao: Sessao): void {
  const convenio = grupo(banco.command('convenio')).description('convênios de cobrança com bancos');
  comCampos(doProvedor(comando(convenio.command('criar'))), DO_NOVO)
    .usage('--provedor <id> --cobrador-id <id> --banco <dígitos> --nome <nome> [opções]')
    .description('cadastra um convênio, que ainda não emite')
    .option('--teste', 'em homologação: marca os arquivos como teste')
    .action(async (opcoes: Opcoes) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, { convenios }) => convenios.criar(camposDoConvenio(DO_NOVO, opcoes)),
        (id) => sessao.mostrar(opcoes.json, { id }, [`Convênio ${id} criado.`]),
      );
    });
  comCampos(doProvedor(comando(convenio.command('alterar'))), DO_CONVENIO)
    .usage('<id> --provedor <id> [opções]')
    .description('muda o que for dito')
    .argument('<id>', 'id do convênio', inteiro)
    .option('--teste', 'em homologação')
    .option('--producao', 'deixa a homologação')
    .action(async (id: number, opcoes: Opcoes) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, { convenios }) => convenios.alterar(id, camposDoConvenio(DO_CONVENIO, opcoes)),
        (campos) =>
          sessao.mostrar(opcoes.json, { id, campos }, [
            campos.length === 0 ? 'Nada mudou.' : `Mudou: ${campos.join(', ')}.`,
          ]),
      );
    });
  for (const [nome, descricao] of [
    ['ativar', 'passa a registrar os boletos das faturas novas da conta'],
    ['desativar', 'não registra boletos novos; os de antes continuam'],
  ] as const) {
    doProvedor(comando(convenio.command(nome)))
      .usage('<id> --provedor <id> [opções]')
      .description(descricao)
      .argument('<id>', 'id do convênio', inteiro)
      .action(async (id: number, opcoes: DoProvedor) => {
        await mudar(
          sessao,
          opcoes.provedor,
          async (_dominio, { convenios }) => convenios[nome](id),
          (mudou) => sessao.mostrar(opcoes.json, { id, mudou }, [mudou ? `Convênio ${id}: feito.` : 'Nada mudou.']),
        );
      });
  }
  doProvedor(comando(convenio.command('listar')))
    .usage('--provedor <id> [opções]')
    .description('lista os convênios do provedor')
    .action(async (opcoes: DoProvedor) => {
      await sessao.comContainer(async (servicos) => {
        const todos = await ler(servicos, opcoes.provedor, async ({ boletos }) => boletos.convenios());
        sessao.mostrar(
          opcoes.json,
          todos,
          colunas(
            todos.map((um) => [
              String(um.id),
              um.emite === 1 ? 'emite' : '-',
              NOMES_DOS_BANCOS[um.banco],
              `CNAB ${um.formato}`,
              um.nome,
            ]),
          ),
        );
      });
    });
}

/** What was said of an agreement; a flag is told by its name. */
function camposDoConvenio(campos: Campos, opcoes: Opcoes): Record<string, unknown> {
  const dados = camposDigitados(campos, opcoes);
  if (opcoes['teste'] === true) dados['teste'] = true;
  if (opcoes['producao'] === true) dados['teste'] = false;
  return dados;
}

/** What is left out of a file, and why; of many only the first ones. */
const naoVao = ({ recusadas, recusadasAoTodo }: Pick<Gerada, 'recusadas' | 'recusadasAoTodo'>): string[] => [
  ...(recusadasAoTodo === 0 ? [] : [`Não vão: ${recusadasAoTodo}.`]),
  ...colunas(recusadas.map(({ faturaId, motivo }) => [`fatura ${faturaId}`, motivo])),
];

function comandosDeRemessa(banco: Command, sessao: Sessao): void {
  const remessa = grupo(banco.command('remessa')).description('arquivos de remessa aos bancos');
  doProvedor(comando(remessa.command('previa')))
    .usage('<convenio> --provedor <id> [opções]')
    .description('o que iria ao banco agora, e o que não vai e por quê')
    .argument('<convenio>', 'id do convênio', inteiro)
    .action(async (convenio: number, opcoes: DoProvedor) => {
      await sessao.comContainer(async (servicos) => {
        const previa = await ler(servicos, opcoes.provedor, async ({ boletos }) => boletos.previa(convenio));
        const { baixa, vencimento, valor } = previa.instrucoes;
        sessao.mostrar(opcoes.json, previa, [
          `${previa.entradas} boletos, R$ ${escreverDinheiro(previa.total)}.`,
          `Pedidos: ${baixa} de baixa, ${vencimento} de vencimento, ${valor} de valor.`,
          ...naoVao(previa),
        ]);
      });
    });
  doProvedor(comando(remessa.command('gerar')))
    .usage('<convenio> --provedor <id> [opções]')
    .description('faz um arquivo com tudo o que há para o banco')
    .argument('<convenio>', 'id do convênio', inteiro)
    .action(async (convenio: number, opcoes: DoProvedor) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, { remessas }) => remessas.gerar(convenio),
        (feita) =>
          sessao.mostrar(opcoes.json, feita, [
            feita.id === null
              ? 'Nada a mandar.'
              : `Remessa ${feita.id}, NSA ${feita.nsa ?? ''}: ${feita.entradas} boletos, ${feita.instrucoes} pedidos.`,
            ...naoVao(feita),
          ]),
      );
    });
  doProvedor(comando(remessa.command('baixar')))
    .usage('<id> --provedor <id> [opções]')
    .description('grava o arquivo; de então em diante não se desfaz')
    .argument('<id>', 'id da remessa', inteiro)
    .option('--saida <arquivo>', 'onde; padrão: o nome que o banco espera, nesta pasta')
    .action(async (id: number, opcoes: DoArquivo) => {
      await sessao.comContainer(async ({ provedores, changeTenant }) => {
        const provedor = await provedores.exigirPorId(opcoes.provedor);
        const { nome, conteudo } = await changeTenant(TERMINAL, provedor, async (_dominio, { remessas }) =>
          remessas.baixar(id),
        );
        const caminho = opcoes.saida ?? nome;
        await writeFile(caminho, conteudo);
        sessao.mostrar(opcoes.json, { id, arquivo: caminho }, [`Remessa ${id} em ${caminho}.`]);
      });
    });
  for (const [nome, metodo, descricao, dito] of [
    ['enviada', 'marcarEnviada', 'anota que o banco tem a remessa', 'enviada'],
    ['desfazer', 'desfazer', 'desfaz a remessa que ninguém baixou; os números dela não voltam', 'desfeita'],
    [
      'recusada',
      'recusadaPeloBanco',
      'anota que o banco recusou o arquivo inteiro: os boletos dele esperam outro',
      'recusada',
    ],
  ] as const) {
    doProvedor(comando(remessa.command(nome)))
      .usage('<id> --provedor <id> [opções]')
      .description(descricao)
      .argument('<id>', 'id da remessa', inteiro)
      .action(async (id: number, opcoes: DoProvedor) => {
        await mudar(
          sessao,
          opcoes.provedor,
          async (_dominio, { remessas }) => remessas[metodo](id),
          () => sessao.mostrar(opcoes.json, { id }, [`Remessa ${id} ${dito}.`]),
        );
      });
  }
  doProvedor(comando(remessa.command('listar')))
    .usage('--provedor <id> [opções]')
    .description('as últimas remessas')
    .action(async (opcoes: DoProvedor) => {
      await sessao.comContainer(async (servicos) => {
        const todas = await ler(servicos, opcoes.provedor, async ({ boletos }) => boletos.remessas());
        sessao.mostrar(
          opcoes.json,
          todas,
          colunas(
            todas.map(({ id, nsa, nome, situacao, entradas, total }) => [
              String(id),
              String(nsa),
              situacao,
              nome,
              String(entradas),
              total,
            ]),
          ),
        );
      });
    });
  doProvedor(comando(remessa.command('reenviar')))
    .usage('<fatura> --provedor <id> [opções]')
    .description('registra de novo, com outro número, o boleto rejeitado ou baixado de uma fatura aberta')
    .argument('<fatura>', 'id da fatura', inteiro)
    .action(async (id: number, opcoes: DoProvedor) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, { remessas }) => remessas.reenviar(id),
        () => sessao.mostrar(opcoes.json, { fatura: id }, [`O boleto da fatura ${id} vai na próxima remessa.`]),
      );
    });
}
