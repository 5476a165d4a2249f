import type { Command } from 'commander';
import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { inteiro, lista } from '../comando.ts';
import type { Sessao } from '../sessao.ts';
import { colunas } from '../texto.ts';
import { comandoDeFatura, dadosDe, ler, mudar } from './comum.ts';
import type { OpcaoDeCampo, OpcoesDoProvedor } from './comum.ts';

const DO_ACORDO: readonly OpcaoDeCampo[] = [
  ['--cliente-id <id>', 'cliente que deve'],
  ['--parcelas <n>', 'quantas, de 1 a 60'],
  ['--primeiro-vencimento <data>', 'AAAA-MM-DD; as outras vencem de mês em mês'],
  ['--entrada <valor>', 'que vence hoje'],
  ['--desconto <valor>', 'do que se deve hoje com encargos'],
  ['--tipo <tipo>', 'pix ou carteira; sem isto, pix onde o provedor o recebe'],
  ['--motivo <texto>', 'por que'],
];
const MOTIVO: OpcaoDeCampo = ['--motivo <texto>', 'por que'];

/** `malha fatura renegociar|quebrar-renegociacao|renegociacoes` */
export function comandosDeRenegociacao(fatura: Command, sessao: Sessao): void {
  comandoDeFatura(fatura, {
    nome: 'renegociar',
    descricao: 'faz de faturas vencidas de um cliente parcelas novas; as de antes ficam canceladas e o dizem',
    campos: DO_ACORDO,
  })
    .option('--faturas <ids>', 'entre vírgulas; sem isto, todas as vencidas do cliente', lista)
    .option('--nao-liberar', 'não libera os contratos bloqueados por débito que nada mais devem em atraso')
    .action(async (opcoes: OpcoesDoProvedor & { faturas?: string[]; naoLiberar?: boolean }) => {
      const dados = {
        ...dadosDe(opcoes, DO_ACORDO),
        ...(opcoes.faturas === undefined ? {} : { faturas: opcoes.faturas }),
        liberar: opcoes.naoLiberar !== true,
      };
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, { renegociacoes }) => renegociacoes.criar(dados),
        ({ id, devido, desconto, origens, parcelas }) => {
          const novas = parcelas.map(({ numero, faturaId, vencimento, valor }) => ({
            numero,
            fatura_id: faturaId,
            vencimento,
            valor: escreverDinheiro(valor),
          }));
          const somas = { devido: escreverDinheiro(devido), desconto: escreverDinheiro(desconto) };
          sessao.mostrar(opcoes.json, { id, ...somas, origens, parcelas: novas }, [
            `Renegociação ${id}: deviam-se ${somas.devido} de ${origens.length} faturas; desconto ${somas.desconto}.`,
            ...colunas(novas.map((nova) => Object.values(nova).map(String))),
          ]);
        },
      );
    });

  comandoDeFatura(fatura, {
    nome: 'quebrar-renegociacao',
    descricao: 'cancela as parcelas em aberto; as faturas de antes voltam, menos o que se pagou',
    campos: [MOTIVO],
  })
    .usage('<id> --motivo <texto> [opções]')
    .argument('<id>', 'id da renegociação', inteiro)
    .action(async (id: number, opcoes: OpcoesDoProvedor) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, { renegociacoes }) => renegociacoes.quebrar(id, dadosDe(opcoes, [MOTIVO])),
        ({ pago, voltaram, canceladas }) => {
          const valor = { id, pago: escreverDinheiro(pago), voltaram, canceladas };
          sessao.mostrar(opcoes.json, valor, [
            `Renegociação ${id} quebrada: voltaram ${voltaram.length} faturas, menos ${valor.pago} já pagos.`,
          ]);
        },
      );
    });

  comandoDeFatura(fatura, { nome: 'renegociacoes', descricao: 'lista renegociações, as mais novas primeiro' })
    .option('--cliente-id <id>', 'só as do cliente', inteiro)
    .option('--atraso <dias>', 'só as em vigor com parcela vencida há tantos dias ou mais', inteiro)
    .option('--limite <n>', 'quantas, no máximo', inteiro, 100)
    .action(async (opcoes: OpcoesDoProvedor & { clienteId?: number; atraso?: number; limite: number }) => {
      await sessao.comContainer(async (servicos) => {
        const achadas = await ler(servicos, opcoes.provedor, async ({ renegociacoes }) =>
          renegociacoes.listar({ clienteId: opcoes.clienteId, atrasoDias: opcoes.atraso }, opcoes.limite),
        );
        const linhas = achadas.map(({ id, clienteId, situacao, devido, desconto, criadaEm, abertaDesde }) => ({
          id,
          cliente_id: clienteId,
          situacao,
          devido: escreverDinheiro(devido),
          desconto: escreverDinheiro(desconto),
          criada_em: criadaEm.toISOString(),
          aberta_desde: abertaDesde,
        }));
        sessao.mostrar(
          opcoes.json,
          linhas,
          colunas(linhas.map((linha) => Object.values(linha).map((um) => (um === null ? '-' : String(um))))),
        );
      });
    });
}
