import type { Command } from 'commander';
import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { TERMINAL } from '../../domain/actor.ts';
import { gerarMes } from '../../domain/faturamento/execucao/pedido.service.ts';
import { ESTRANHEZAS } from '../../domain/faturamento/execucao/previa.regras.ts';
import type { PreviaDoFaturamento } from '../../domain/faturamento/execucao/previa.regras.ts';
import { comando } from '../comando.ts';
import { ler } from '../fatura/comum.ts';
import { doProvedor } from '../formulario.ts';
import type { DoProvedor } from '../formulario.ts';
import { INTERROMPIDO } from '../sessao.ts';
import type { Servicos, Sessao } from '../sessao.ts';
import { contar } from '../texto.ts';
import { criarAndamento } from './andamento.ts';

type DoMes = DoProvedor & { readonly mes: string };

/** `malha faturamento previa` and `gerar`: the terminal does both itself, and says how far it has come. */
export function comandosDoMes(faturamento: Command, sessao: Sessao): void {
  doMes(faturamento, 'previa', 'mostra o que se faria: quantas cobranças, quanto, e o que é estranho').action(
    async (opcoes: DoMes) => {
      await sessao.comContainer(async (servicos) =>
        sessao.comCtrlC(async (signal) => mostrarPreviaDe(servicos, opcoes, sessao, signal)),
      );
    },
  );

  doMes(
    faturamento,
    'gerar',
    'faz já as cobranças que vencem até o fim do mês; interrompido, repita-o, e faz as que faltam',
  ).action(async (opcoes: DoMes) => {
    await sessao.comContainer(async (servicos) =>
      sessao.comCtrlC(async (signal) => gerar(servicos, opcoes, sessao, signal)),
    );
  });
}

const quantosFaltam = async (servicos: Servicos, { provedor, mes }: DoMes): Promise<number> =>
  ler(servicos, provedor, async (dominio) => dominio.faturamento.quantosFaltam({ mes }));

async function mostrarPreviaDe(servicos: Servicos, opcoes: DoMes, sessao: Sessao, signal: AbortSignal): Promise<void> {
  const { provedor, mes, json } = opcoes;
  const total = await quantosFaltam(servicos, opcoes);
  const andamento = criarAndamento(sessao, 'faturamento previa', mes);
  const aoVer = async (vistos: number): Promise<void> => {
    andamento.mostrar(vistos, total);
    signal.throwIfAborted();
    return Promise.resolve();
  };
  try {
    const feita = await ler(servicos, provedor, async (dominio) => dominio.faturamento.previa({ mes }, aoVer));
    andamento.encerrar(true);
    mostrarPrevia(feita, json, sessao);
  } catch (error) {
    andamento.encerrar(false);
    if (!signal.aborted) throw error;
    sessao.tela.escrever('A prévia parou no meio; ela não grava nada.\n');
    sessao.terminarCom(INTERROMPIDO);
  }
}

function mostrarPrevia(previa: PreviaDoFaturamento, json: boolean | undefined, sessao: Sessao): void {
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
  sessao.mostrar(json, valor, [
    `${contar(faturas, 'fatura', 'faturas')} a fazer, de ${valor.total}; já feitas ${feitas.cobrancas}, de ${valor.feitas.total}.`,
    `De meses anteriores ao da cobrança: ${contar(anteriores.cobrancas, 'contrato', 'contratos')}, ${valor.anteriores.total}.`,
    `${contar(estranhasAoTodo, 'cobrança estranha', 'cobranças estranhas')}.`,
    ...estranhas.map(
      ({ contratoId, porque }) => `Contrato ${contratoId}: ${porque.map((um) => ESTRANHEZAS[um]).join('; ')}.`,
    ),
  ]);
}

async function gerar(servicos: Servicos, opcoes: DoMes, sessao: Sessao, signal: AbortSignal): Promise<void> {
  const { provedores, changeTenant } = servicos;
  const provedor = await provedores.exigirPorId(opcoes.provedor);
  const hoje = await ler(servicos, opcoes.provedor, async (dominio) => dominio.faturamento.hoje());
  const total = await quantosFaltam(servicos, opcoes);
  const andamento = criarAndamento(sessao, 'faturamento gerar', opcoes.mes);
  let ateAqui = 0;
  try {
    const { faturas, inteiro } = await gerarMes(
      async (dados, depoisDe) =>
        changeTenant(TERMINAL, provedor, async (_dominio, escritas) => escritas.faturamento.gerar(dados, depoisDe)),
      opcoes.mes,
      hoje,
      {
        signal,
        aoAvancar: (vistos, feitas) => {
          ateAqui = feitas;
          andamento.mostrar(vistos, total);
        },
      },
    );
    andamento.encerrar(inteiro);
    const feitas = contar(faturas, 'fatura feita', 'faturas feitas');
    sessao.mostrar(opcoes.json, { faturas, inteiro }, [
      inteiro ? `${feitas}.` : `Parado no meio: ${feitas}, que ficam; o mesmo comando faz as que faltam.`,
    ]);
    if (!inteiro) sessao.terminarCom(INTERROMPIDO);
  } catch (error) {
    andamento.encerrar(false);
    if (ateAqui > 0) sessao.tela.escrever(`Antes da falha: ${contar(ateAqui, 'fatura feita', 'faturas feitas')}.\n`);
    throw error;
  }
}

const doMes = (faturamento: Command, nome: string, descricao: string): Command =>
  doProvedor(comando(faturamento.command(nome)))
    .usage('--provedor <id> --mes <AAAA-MM> [opções]')
    .description(descricao)
    .requiredOption('--mes <mês>', 'mês dos vencimentos: este ou o próximo, AAAA-MM');
