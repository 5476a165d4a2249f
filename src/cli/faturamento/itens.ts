import type { Command } from 'commander';
import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import { ler, mudar } from '../fatura/comum.ts';
import { camposDigitados, comCampos, doProvedor } from '../formulario.ts';
import type { Campos, Digitados, DoProvedor } from '../formulario.ts';
import type { Sessao } from '../sessao.ts';
import { colunas } from '../texto.ts';

const DO_ITEM: Campos = {
  tipo: 'unico, recorrente, desconto ou desconto_percentual',
  descricao: 'o que é',
  valor: 'reais ou, de um percentual, por cento',
  de: 'primeiro mês, AAAA-MM; sem isto, este',
  ate: 'último mês; sem isto, enquanto o contrato durar',
};

/** `malha faturamento item …` */
export function comandosDeItens(faturamento: Command, sessao: Sessao): void {
  const item = grupo(faturamento.command('item')).description('adicionais e descontos de um contrato');

  comCampos(doProvedor(comando(item.command('adicionar'))), DO_ITEM)
    .usage('<contrato> --provedor <id> --tipo <tipo> --descricao <texto> --valor <valor> [opções]')
    .description('põe um adicional ou um desconto num contrato')
    .argument('<contrato>', 'id do contrato', inteiro)
    .action(async (contrato: number, opcoes: DoProvedor & Digitados) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, escritas) => escritas.faturamento.itens.adicionar(contrato, camposDigitados(DO_ITEM, opcoes)),
        (id) => sessao.mostrar(opcoes.json, { id }, [`Item ${id} do contrato ${contrato}.`]),
      );
    });

  for (const [nome, descricao, dito] of [
    ['encerrar', 'acaba com um item a partir do próximo mês', 'encerrado'],
    ['remover', 'tira um item posto por engano, enquanto nenhuma cobrança o contou', 'removido'],
  ] as const) {
    doProvedor(comando(item.command(nome)))
      .usage('<contrato> <item> --provedor <id> [opções]')
      .description(descricao)
      .argument('<contrato>', 'id do contrato', inteiro)
      .argument('<item>', 'id do item', inteiro)
      .action(async (contrato: number, id: number, opcoes: DoProvedor) => {
        await mudar(
          sessao,
          opcoes.provedor,
          async (_dominio, escritas) => escritas.faturamento.itens[nome](contrato, id),
          () => sessao.mostrar(opcoes.json, { id }, [`Item ${id} ${dito}.`]),
        );
      });
  }

  doProvedor(comando(item.command('listar')))
    .usage('<contrato> --provedor <id> [opções]')
    .description('lista os itens de um contrato')
    .argument('<contrato>', 'id do contrato', inteiro)
    .action(async (contrato: number, opcoes: DoProvedor) => {
      await sessao.comContainer(async (servicos) => {
        const itens = await ler(servicos, opcoes.provedor, async (dominio) =>
          dominio.itensDeContratos.doContrato(contrato),
        );
        const linhas = itens.map((um) => ({
          id: um.id,
          tipo: um.tipo,
          descricao: um.descricao,
          valor: escreverDinheiro(um.valor),
          de: um.de.slice(0, 7),
          ate: um.ate?.slice(0, 7) ?? null,
          faturamento_id: um.faturamentoId,
        }));
        const textos = linhas.map((linha) => Object.values(linha).map((valor) => String(valor ?? '-')));
        sessao.mostrar(opcoes.json, linhas, colunas(textos));
      });
    });
}
