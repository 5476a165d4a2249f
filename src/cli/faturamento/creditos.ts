import type { Command } from 'commander';
import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import { ler, mudar } from '../fatura/comum.ts';
import { camposDigitados, comCampos, doProvedor } from '../formulario.ts';
import type { Campos, Digitados, DoProvedor } from '../formulario.ts';
import type { Sessao } from '../sessao.ts';
import { colunas } from '../texto.ts';

const DO_ACERTO: Campos = { valor: 'quanto, como se lista: 17.00', como: 'devolvido ou descontado' };

/** `malha faturamento credito …` */
export function comandosDeCreditos(faturamento: Command, sessao: Sessao): void {
  const credito = grupo(faturamento.command('credito')).description('o que contratos que acabaram deixaram ao cliente');

  doProvedor(comando(credito.command('listar')))
    .usage('--provedor <id> [opções]')
    .description('lista os dos últimos doze meses que não foram acertados')
    .option('--antes <contrato>', 'só os de contratos com id menor', inteiro)
    .action(async (opcoes: DoProvedor & { readonly antes?: number }) => {
      await sessao.comContainer(async (servicos) => {
        const { itens, proxima } = await ler(servicos, opcoes.provedor, async (dominio) =>
          dominio.creditosDeContratos.listar({ antesDe: opcoes.antes }),
        );
        const linhas = itens.map(({ contratoId, clienteId, canceladoEm, competencia, valor }) => ({
          contrato: contratoId,
          cliente: clienteId,
          cancelado_em: canceladoEm?.toISOString() ?? null,
          competencia: competencia.slice(0, 7),
          valor: escreverDinheiro(valor),
        }));
        const textos = linhas.map((linha) => Object.values(linha).map((um) => String(um ?? '-')));
        const resto = proxima === null ? [] : [`Há mais: --antes ${proxima}`];
        sessao.mostrar(opcoes.json, linhas, [...colunas(textos), ...resto]);
      });
    });

  comCampos(doProvedor(comando(credito.command('acertar'))), DO_ACERTO)
    .usage('<contrato> --provedor <id> --valor <valor> --como <como> [opções]')
    .description(
      'anota que o crédito foi devolvido, ou descontado do que o cliente devia; nenhum dinheiro sai por isto',
    )
    .argument('<contrato>', 'id do contrato', inteiro)
    .action(async (contrato: number, opcoes: DoProvedor & Digitados) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, escritas) =>
          escritas.faturamento.creditos.acertar(contrato, camposDigitados(DO_ACERTO, opcoes)),
        () => sessao.mostrar(opcoes.json, { contrato }, [`Crédito do contrato ${contrato} acertado.`]),
      );
    });
}
