import type { Command } from 'commander';
import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { TERMINAL } from '../../domain/actor.ts';
import { EntradaInvalida } from '../../domain/erros.ts';
import { gerarMes } from '../../domain/faturamento/execucao/pedido.service.ts';
import { ESTRANHEZAS } from '../../domain/faturamento/execucao/previa.regras.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import { ler, mudar } from '../fatura/comum.ts';
import { camposDigitados, comCampos, doProvedor } from '../formulario.ts';
import type { Campos, Digitados, DoProvedor } from '../formulario.ts';
import type { Sessao } from '../sessao.ts';
import { colunas, contar } from '../texto.ts';
import { comandosDeItens } from './itens.ts';

const DA_CONFIGURACAO: Campos = {
  desde: 'primeiro mês de serviço que se fatura aqui, AAAA-MM; vazio: nada sozinho',
  antecedencia: 'dias entre a emissão e o vencimento, de 0 a 28',
  fatura_unica: 'sim ou nao: uma fatura só por cliente e vencimento',
  cobrar_bloqueado: 'sim ou nao: cobra os dias em que o contrato está bloqueado, nos meses ainda não cobrados',
  confirmado: 'sim: cobra também os meses que já passaram, desde o primeiro que se diz',
};

const SIM_OU_NAO = ['fatura_unica', 'cobrar_bloqueado', 'confirmado'];

/** @throws EntradaInvalida for what is neither yes nor no */
function comSimOuNao(dados: Record<string, unknown>): Record<string, unknown> {
  for (const nome of SIM_OU_NAO) {
    const dito = dados[nome];
    if (dito === undefined) continue;
    if (dito !== 'sim' && dito !== 'nao') throw new EntradaInvalida(`${nome}: deve ser sim ou nao`);
    dados[nome] = dito === 'sim';
  }
  return dados;
}

type DoMes = DoProvedor & { readonly mes: string };

/** `malha faturamento …` */
export function comandosDeFaturamento(programa: Command, sessao: Sessao): void {
  const faturamento = grupo(programa.command('faturamento')).description('faturar os meses dos contratos');

  comCampos(doProvedor(comando(faturamento.command('configurar'))), DA_CONFIGURACAO)
    .usage('--provedor <id> [opções]')
    .description('muda o que se disser; sem nada, mostra como está')
    .action(async (opcoes: DoProvedor & Digitados) => {
      const dados = comSimOuNao(camposDigitados(DA_CONFIGURACAO, opcoes));
      if (Object.keys(dados).length === 0) {
        await sessao.comContainer(async (servicos) => {
          const regras = await ler(servicos, opcoes.provedor, async (dominio) => dominio.faturamento.regras());
          const linhas = Object.entries(regras).map(([nome, valor]): [string, string] => [nome, String(valor ?? '-')]);
          sessao.mostrar(opcoes.json, regras, colunas(linhas));
        });
        return;
      }
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, escritas) => escritas.faturamento.configurar(dados),
        (campos) => sessao.mostrar(opcoes.json, { campos }, [`Mudou: ${campos.join(', ') || 'nada'}.`]),
      );
    });

  doMes(faturamento, 'previa', 'mostra o que se faria: quantas cobranças, quanto, e o que é estranho').action(
    async (opcoes: DoMes) => {
      await sessao.comContainer(async (servicos) => {
        const { mes } = opcoes;
        const previa = await ler(servicos, opcoes.provedor, async (dominio) => dominio.faturamento.previa({ mes }));
        const { faturas, total, anteriores, feitas, estranhas, estranhasAoTodo } = previa;
        const valor = {
          ...previa,
          total: escreverDinheiro(total),
          anteriores: { ...anteriores, total: escreverDinheiro(anteriores.total) },
          feitas: { ...feitas, total: escreverDinheiro(feitas.total) },
          estranhas: estranhas.map((uma) => ({
            ...uma,
            valor: escreverDinheiro(uma.valor),
            ultima: uma.ultima === null ? null : escreverDinheiro(uma.ultima),
          })),
        };
        sessao.mostrar(opcoes.json, valor, [
          `${contar(faturas, 'fatura', 'faturas')} a fazer, de ${valor.total}; já feitas ${feitas.cobrancas}, de ${valor.feitas.total}.`,
          `De meses anteriores ao da cobrança: ${contar(anteriores.cobrancas, 'contrato', 'contratos')}, ${valor.anteriores.total}.`,
          `${contar(estranhasAoTodo, 'cobrança estranha', 'cobranças estranhas')}.`,
          ...estranhas.map(
            ({ contratoId, porque }) => `Contrato ${contratoId}: ${porque.map((um) => ESTRANHEZAS[um]).join('; ')}.`,
          ),
        ]);
      });
    },
  );

  doMes(faturamento, 'gerar', 'faz já as cobranças que vencem até o fim do mês').action(async (opcoes: DoMes) => {
    await sessao.comContainer(async (servicos) => {
      const { provedores, changeTenant } = servicos;
      const provedor = await provedores.exigirPorId(opcoes.provedor);
      const hoje = await ler(servicos, opcoes.provedor, async (dominio) => dominio.faturamento.hoje());
      const faturas = await gerarMes(
        async (dados, depoisDe) =>
          changeTenant(TERMINAL, provedor, async (_dominio, escritas) => escritas.faturamento.gerar(dados, depoisDe)),
        opcoes.mes,
        hoje,
      );
      sessao.mostrar(opcoes.json, { faturas }, [`${contar(faturas, 'fatura feita', 'faturas feitas')}.`]);
    });
  });

  doProvedor(comando(faturamento.command('desfazer')))
    .usage('<id> --provedor <id> [opções]')
    .description('desfaz um faturamento de que nada foi pago, enviado a um banco ou reservado para uma nota')
    .argument('<id>', 'id do faturamento', inteiro)
    .action(async (id: number, opcoes: DoProvedor) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, escritas) => escritas.faturamento.desfazer(id),
        (faturas) =>
          sessao.mostrar(opcoes.json, { id, faturas }, [
            `Faturamento ${id} desfeito: ${contar(faturas, 'fatura cancelada', 'faturas canceladas')}.`,
          ]),
      );
    });

  doProvedor(comando(faturamento.command('listar')))
    .usage('--provedor <id> [opções]')
    .description('lista os últimos faturamentos')
    .action(async (opcoes: DoProvedor) => {
      await sessao.comContainer(async (servicos) => {
        const vezes = await ler(servicos, opcoes.provedor, async (dominio) => dominio.faturamento.listar());
        const linhas = vezes.map((vez) => ({
          id: vez.id,
          dia: vez.dia,
          origem: vez.origem,
          cobrancas: vez.cobrancas,
          faturas: vez.faturas,
          total: escreverDinheiro(vez.total),
          desfeito_em: vez.desfeitoEm?.toISOString() ?? null,
        }));
        const textos = linhas.map((linha) => Object.values(linha).map((um) => (um === null ? '-' : String(um))));
        sessao.mostrar(opcoes.json, linhas, colunas(textos));
      });
    });

  doProvedor(comando(faturamento.command('carne')))
    .usage('<contrato> --provedor <id> [--parcelas 12] [opções]')
    .description('faz de uma vez as cobranças dos próximos meses de um contrato')
    .argument('<contrato>', 'id do contrato', inteiro)
    .option('--parcelas <n>', 'de 2 a 24', inteiro)
    .action(async (contrato: number, opcoes: DoProvedor & { readonly parcelas?: number }) => {
      const { parcelas } = opcoes;
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, escritas) =>
          escritas.faturamento.carnes.gerar({
            contrato_id: contrato,
            ...(parcelas === undefined ? {} : { parcelas }),
          }),
        (feito) =>
          sessao.mostrar(opcoes.json, feito, [
            `Carnê ${feito.carneId} feito: faturas ${feito.faturas.join(', ')}; desfaz-se pelo faturamento ${feito.faturamentoId}.`,
          ]),
      );
    });

  comandosDeItens(faturamento, sessao);
}

const doMes = (faturamento: Command, nome: string, descricao: string): Command =>
  doProvedor(comando(faturamento.command(nome)))
    .usage('--provedor <id> --mes <AAAA-MM> [opções]')
    .description(descricao)
    .requiredOption('--mes <mês>', 'mês dos vencimentos: este ou o próximo, AAAA-MM');
