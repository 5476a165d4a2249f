import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { escreverDinheiro } from '../brazil/dinheiro/dinheiro.ts';
import { TERMINAL } from '../domain/actor.ts';
import { FORMAS_DE_DEVOLUCAO, MEIOS_DEVOLVIDOS } from '../domain/recebimentos/devolucoes/devolucoes.types.ts';
import type { MeioDevolvido } from '../domain/recebimentos/devolucoes/devolucoes.types.ts';
import type { IdentificacaoService } from '../domain/recebimentos/identificacao/identificacao.service.ts';
import { comando, grupo, inteiro } from './comando.ts';
import type { Sessao } from './sessao.ts';
import { colunas } from './texto.ts';

type Linha = Readonly<Record<string, string | number | object | null>>;
type Lista = (identificacao: IdentificacaoService, provedor: number, limite: number) => Promise<Linha[]>;

interface OpcoesDaLista {
  provedor: number;
  quais: string;
  limite: number;
  json?: boolean;
}

const LISTAS: ReadonlyMap<string, Lista> = new Map<string, Lista>([
  [
    'nao-identificados',
    async (identificacao, ...quais) =>
      (await identificacao.naoIdentificados(...quais)).map((pix) => ({
        id: pix.id,
        pago_em: pix.pagoEm.toISOString(),
        valor: escreverDinheiro(pix.valor),
        devolvido: escreverDinheiro(pix.devolvido),
        end_to_end_id: pix.endToEndId,
        txid: pix.txid,
      })),
  ],
  [
    'excedentes',
    async (identificacao, ...quais) =>
      (await identificacao.comExcedente(...quais)).map((fatura) => ({
        fatura_id: fatura.faturaId,
        cliente_id: fatura.clienteId,
        situacao: fatura.situacao,
        valor_pago: escreverDinheiro(fatura.valorPago),
        excedente: escreverDinheiro(fatura.excedente),
      })),
  ],
  [
    'recusados',
    async (identificacao, ...quais) =>
      (await identificacao.recusados(...quais)).map((recusado) => ({
        id: recusado.id,
        avisado_em: recusado.avisadoEm.toISOString(),
        receptor: recusado.receptor,
        motivo: recusado.motivo,
        dito: recusado.dito,
      })),
  ],
]);

const DITO = { pix: 'PIX', boleto: 'Boleto' } as const;
type OpcoesDoVinculo = OpcoesDoProvedor & { meio: keyof typeof DITO };
type OpcoesDoProvedor = Pick<OpcoesDaLista, 'provedor' | 'json'>;

/** `malha recebimento …` */
export function comandosDeRecebimento(programa: Command, sessao: Sessao): void {
  const recebimento = grupo(programa.command('recebimento')).description('dinheiro recebido: PIX, boletos e à mão');

  comando(recebimento.command('listar'))
    .description('lista os PIX sem fatura, as faturas que receberam a mais, ou os avisos que não se puderam ler')
    .requiredOption('--provedor <id>', 'provedor', inteiro)
    .option('--quais <lista>', [...LISTAS.keys()].join(', '), nomeDeLista, 'nao-identificados')
    .option('--limite <n>', 'quantos, no máximo', inteiro, 100)
    .option('--json', 'responde em JSON')
    .action(async ({ provedor, quais, limite, json }: OpcoesDaLista) => {
      await sessao.comContainer(async ({ identificacao }) => {
        const linhas = (await LISTAS.get(quais)?.(identificacao, provedor, limite)) ?? [];
        sessao.mostrar(json, linhas, colunas(linhas.map((linha) => Object.values(linha).map(emTexto))));
      });
    });

  comando(recebimento.command('conferir'))
    .description('soma o que se avisou e o que se registrou à mão, e diz onde está')
    .requiredOption('--provedor <id>', 'provedor', inteiro)
    .option('--json', 'responde em JSON')
    .action(async ({ provedor, json }: OpcoesDoProvedor) => {
      await sessao.comContainer(async ({ identificacao }) => {
        const somas = await identificacao.conferir(provedor);
        const valor = {
          avisado: escreverDinheiro(somas.avisado),
          boletos: escreverDinheiro(somas.boletos),
          baixado: escreverDinheiro(somas.baixado),
          aplicado: escreverDinheiro(somas.aplicado),
          excedente: escreverDinheiro(somas.excedente),
          nao_identificado: escreverDinheiro(somas.naoIdentificado),
          devolvido: escreverDinheiro(somas.devolvido),
          diferenca: escreverDinheiro(somas.diferenca),
        };
        sessao.mostrar(json, valor, colunas(Object.entries(valor)));
        if (somas.diferenca !== 0) sessao.terminarCom(1);
      });
    });

  comando(recebimento.command('vincular'))
    .usage('<id> [opções]')
    .description('diz de que fatura é um PIX ou boleto que chegou sem uma; vale o dia em que foi pago')
    .argument('<id>', 'id do PIX, como listar o mostra', inteiro)
    .requiredOption('--provedor <id>', 'provedor', inteiro)
    .requiredOption('--fatura <id>', 'fatura que ele paga', inteiro)
    .option('--meio <meio>', 'pix ou boleto', meioVinculavel, 'pix')
    .option('--json', 'responde em JSON')
    .action(async (id: number, { provedor, fatura, meio, json }: OpcoesDoVinculo & { fatura: number }) => {
      await sessao.comContainer(async ({ identificacao }) => {
        const resultado =
          meio === 'boleto'
            ? await identificacao.vincularBoleto(TERMINAL, provedor, id, fatura)
            : await identificacao.vincular(TERMINAL, provedor, id, fatura);
        const valor = { id, provedor_id: provedor, fatura_id: fatura, resultado };
        sessao.mostrar(json, valor, [`${DITO[meio]} ${id} vinculado à fatura ${fatura}: ${resultado}.`]);
      });
    });

  comando(recebimento.command('desvincular'))
    .usage('<id> [opções]')
    .description('desfaz o que vincular fez; a fatura volta a dever, e ninguém é bloqueado por isso')
    .argument('<id>', 'id do PIX', inteiro)
    .requiredOption('--provedor <id>', 'provedor', inteiro)
    .option('--meio <meio>', 'pix ou boleto', meioVinculavel, 'pix')
    .option('--json', 'responde em JSON')
    .action(async (id: number, { provedor, meio, json }: OpcoesDoVinculo) => {
      await sessao.comContainer(async ({ identificacao }) => {
        await identificacao.desvincular(TERMINAL, provedor, id, meio);
        sessao.mostrar(json, { id, provedor_id: provedor, desvinculado: true }, [`${DITO[meio]} ${id} desvinculado.`]);
      });
    });

  comando(recebimento.command('devolver'))
    .usage('<id> [opções]')
    .description(
      'pede ao banco que devolva um PIX, ou registra o que já se devolveu de um PIX, boleto ou recebimento à mão',
    )
    .argument('<id>', 'id do que entrou', inteiro)
    .requiredOption('--provedor <id>', 'provedor', inteiro)
    .requiredOption('--valor <reais>', 'quanto, como 20.00')
    .requiredOption('--motivo <texto>', 'por quê')
    .option('--meio <meio>', MEIOS_DEVOLVIDOS.join(', '), meioDevolvido, 'pix')
    .option('--forma <forma>', `como já se devolveu: ${FORMAS_DE_DEVOLUCAO.join(', ')}`)
    .option('--ciente', 'devolve também o que pagou alguma coisa')
    .option('--chave <texto>', 'sua: o que se pede duas vezes com ela é um pedido só')
    .option('--json', 'responde em JSON')
    .action(async (id: number, { provedor, meio, json, ...dados }: OpcoesDaDevolucao) => {
      await sessao.comContainer(async ({ changeTenant, provedores }) => {
        const dono = await provedores.exigirPorId(provedor);
        const feita = await changeTenant(TERMINAL, dono, async (_dominio, { devolucoes }) =>
          devolucoes.devolver(meio, id, dados),
        );
        sessao.mostrar(json, { ...feita, provedor_id: provedor }, [`Devolução ${feita.id}: ${feita.situacao}.`]);
      });
    });

  comando(recebimento.command('rejulgar'))
    .description('julga pelas regras de hoje as faturas que têm PIX: quita e libera o que já basta; não reabre nada')
    .requiredOption('--provedor <id>', 'provedor', inteiro)
    .option('--json', 'responde em JSON')
    .action(async ({ provedor, json }: OpcoesDoProvedor) => {
      await sessao.comContainer(async ({ rejulgamento }) => {
        const feito = await rejulgamento.rejulgar(TERMINAL, provedor);
        sessao.mostrar(json, feito, [`Faturas vistas: ${feito.vistas}; quitadas agora: ${feito.quitadas}.`]);
      });
    });
}

type OpcoesDaDevolucao = OpcoesDoProvedor & {
  meio: MeioDevolvido;
  valor: string;
  motivo: string;
  forma?: string;
  ciente?: boolean;
  chave?: string;
};

function meioDevolvido(nome: string): MeioDevolvido {
  const meio = MEIOS_DEVOLVIDOS.find((um) => um === nome);
  if (meio === undefined) throw new InvalidArgumentError(`há ${MEIOS_DEVOLVIDOS.join(', ')}.`);
  return meio;
}

function meioVinculavel(nome: string): keyof typeof DITO {
  if (nome !== 'pix' && nome !== 'boleto') throw new InvalidArgumentError('há pix e boleto.');
  return nome;
}

function nomeDeLista(nome: string): string {
  if (!LISTAS.has(nome)) throw new InvalidArgumentError(`há ${[...LISTAS.keys()].join(', ')}.`);
  return nome;
}

function emTexto(valor: Linha[string]): string {
  if (valor === null) return '-';
  return typeof valor === 'object' ? JSON.stringify(valor) : String(valor);
}
