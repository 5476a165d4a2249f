import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { TERMINAL } from '../../domain/actor.ts';
import type { Gerada } from '../../domain/boletos/remessas/geracao.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import { ler, mudar } from '../fatura/comum.ts';
import { doProvedor } from '../formulario.ts';
import type { DoProvedor } from '../formulario.ts';
import type { Sessao } from '../sessao.ts';
import { colunas } from '../texto.ts';

interface DoArquivo extends DoProvedor {
  readonly saida?: string;
}

/** What is left out of a file, and why; of many only the first ones. */
const naoVao = ({ recusadas, recusadasAoTodo }: Pick<Gerada, 'recusadas' | 'recusadasAoTodo'>): string[] => [
  ...(recusadasAoTodo === 0 ? [] : [`Não vão: ${recusadasAoTodo}.`]),
  ...colunas(recusadas.map(({ faturaId, motivo }) => [`fatura ${faturaId}`, motivo])),
];

/** `malha banco remessa …` */
export function comandosDeRemessa(banco: Command, sessao: Sessao): void {
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
