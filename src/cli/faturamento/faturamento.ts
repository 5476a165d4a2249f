import type { Command } from 'commander';
import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { EntradaInvalida } from '../../domain/erros.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import { ler, mudar } from '../fatura/comum.ts';
import { camposDigitados, comCampos, doProvedor } from '../formulario.ts';
import type { Campos, Digitados, DoProvedor } from '../formulario.ts';
import type { Sessao } from '../sessao.ts';
import { colunas, oQueMudou } from '../texto.ts';
import { comandosDeCreditos } from './creditos.ts';
import { comandosDeItens } from './itens.ts';
import { comandosDoMes } from './mes.ts';
import { comandosDePedidos } from './pedidos.ts';

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
        (campos) => sessao.mostrar(opcoes.json, { campos }, [oQueMudou(campos)]),
      );
    });

  comandosDeCreditos(faturamento, sessao);
  comandosDoMes(faturamento, sessao);
  comandosDePedidos(faturamento, sessao);

  doProvedor(comando(faturamento.command('listar')))
    .usage('--provedor <id> [opções]')
    .description('lista os últimos faturamentos')
    .action(async (opcoes: DoProvedor) => {
      await sessao.comContainer(async (servicos) => {
        const { itens } = await ler(servicos, opcoes.provedor, async (dominio) => dominio.faturamento.listar());
        const linhas = itens.map((vez) => ({
          id: vez.id,
          dia: vez.dia,
          origem: vez.origem,
          cobrancas: vez.cobrancas,
          faturas: vez.faturas,
          total: escreverDinheiro(vez.total),
          desfeito_em: vez.desfeitoEm?.toISOString() ?? null,
          desfazendo: vez.desfazendo,
        }));
        const textos = linhas.map(({ desfazendo, ...linha }) => [
          ...Object.values(linha).map((um) => (um === null ? '-' : String(um))),
          desfazendo ? 'ainda sendo desfeito' : '',
        ]);
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
