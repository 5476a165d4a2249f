import type { Command } from 'commander';
import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { TERMINAL } from '../../domain/actor.ts';
import { Recusa } from '../../domain/erros.ts';
import { lerFiltro } from '../../domain/nfcom/emissao/emissao.campos.ts';
import { juntarPrevias } from '../../domain/nfcom/emissao/previa.service.ts';
import type { PreviaDaEmissao } from '../../domain/nfcom/emissao/emissao.types.ts';
import { SITUACOES_DE_NFCOM } from '../../domain/nfcom/nfcom.types.ts';
import type { SituacaoNfcom } from '../../domain/nfcom/nfcom.types.ts';
import { EntradaInvalida } from '../../domain/erros.ts';
import { comando, inteiro, lista } from '../comando.ts';
import { ler, mudar } from '../fatura/comum.ts';
import { camposDigitados, comCampos, doProvedor } from '../formulario.ts';
import type { Campos, Digitados, DoProvedor } from '../formulario.ts';
import type { Sessao } from '../sessao.ts';
import { colunas, contar } from '../texto.ts';

const DO_FILTRO: Campos = {
  emitidas_de: 'faturas emitidas desde o dia, AAAA-MM-DD',
  emitidas_ate: 'até o dia',
  vencimento_de: 'que vencem desde o dia',
  vencimento_ate: 'até o dia',
  plano_id: 'só de um plano',
  cliente_id: 'só de um cliente',
  uf: 'só de clientes da UF',
};

type DaEmissao = DoProvedor &
  Digitados & {
    readonly fatura?: number;
    readonly faturas?: string[];
    readonly abertas?: boolean;
    readonly previa?: boolean;
  };

/** `malha nfcom emitir|listar|consultar|reemitir|cancelar|substituir|descartar` */
export function comandosDeNotas(nfcom: Command, sessao: Sessao): void {
  comCampos(doProvedor(comando(nfcom.command('emitir'))), DO_FILTRO)
    .usage('--provedor <id> [--previa] [opções]')
    .description('pede a nota de cada fatura que ainda não a tem; o serviço as envia')
    .option(
      '--fatura <id>',
      'só desta, também se já se desistiu de uma nota dela ou a que há é de homologação',
      inteiro,
    )
    .option('--faturas <ids>', 'só estas, entre vírgulas', lista)
    .option('--abertas', 'só das que estão em aberto')
    .option('--previa', 'só mostra quantas seriam, quanto valem e quais não podem ser')
    .action(async (opcoes: DaEmissao) => {
      const { fatura } = opcoes;
      if (fatura !== undefined) {
        if (opcoes.previa === true) throw new EntradaInvalida('previa: de uma fatura só, use --faturas');
        return mudar(
          sessao,
          opcoes.provedor,
          async (_dominio, escritas) => escritas.nfcom.pedir(fatura),
          (id) => sessao.mostrar(opcoes.json, { id }, [`Nota ${id} pedida.`]),
        );
      }
      const filtro = lerFiltro({
        ...camposDigitados(DO_FILTRO, opcoes),
        ...(opcoes.faturas === undefined ? {} : { faturas: opcoes.faturas }),
        ...(opcoes.abertas === undefined ? {} : { abertas: true }),
      });
      return sessao.comContainer(async (servicos) => {
        if (opcoes.previa === true) {
          const parte = async (aPartirDe: number): Promise<PreviaDaEmissao> =>
            ler(servicos, opcoes.provedor, async ({ previaNfcom }) => previaNfcom.previa(filtro, aPartirDe));
          // Nobody waits for a page: it looks at all of them.
          let previa = await parte(0);
          while (previa.proxima !== null) previa = juntarPrevias(previa, await parte(previa.proxima));
          mostrarPrevia(sessao, opcoes.json, previa);
          return;
        }
        const provedor = await servicos.provedores.exigirPorId(opcoes.provedor);
        let notas = 0;
        for (let depoisDe: number | null = 0; depoisDe !== null;) {
          const ultima: number = depoisDe;
          const feito = await servicos.changeTenant(TERMINAL, provedor, async (_dominio, escritas) =>
            escritas.nfcom.pedirLote(filtro, ultima),
          );
          notas += feito.notas;
          depoisDe = feito.proxima;
        }
        sessao.mostrar(opcoes.json, { notas }, [`${contar(notas, 'nota pedida', 'notas pedidas')}.`]);
      });
    });

  doProvedor(comando(nfcom.command('listar')))
    .usage('--provedor <id> [opções]')
    .description('lista notas, as mais novas primeiro')
    .option('--situacao <situacao>', SITUACOES_DE_NFCOM.join(', '))
    .option('--cliente <id>', 'só as do cliente', inteiro)
    .action(async (opcoes: DoProvedor & { situacao?: string; cliente?: number }) => {
      const situacao = situacaoDita(opcoes.situacao);
      await sessao.comContainer(async (servicos) => {
        const { itens } = await ler(servicos, opcoes.provedor, async ({ notas }) =>
          notas.listar({ situacao, clienteId: opcoes.cliente }),
        );
        const linhas = itens.map((nota) => ({
          id: nota.id,
          numero: nota.numero,
          situacao: nota.situacao,
          fatura_id: nota.faturaId,
          cliente_id: nota.clienteId,
          valor: escreverDinheiro(nota.valor),
          motivo_codigo: nota.motivoCodigo,
          motivo: nota.motivo,
        }));
        const textos = linhas.map((linha) => Object.values(linha).map((um) => (um === null ? '-' : String(um))));
        sessao.mostrar(opcoes.json, linhas, colunas(textos));
      });
    });

  doProvedor(comando(nfcom.command('consultar')))
    .usage('<id> --provedor <id> [opções]')
    .description('mostra uma nota, e o que a autoridade disse dela')
    .argument('<id>', 'id da nota', inteiro)
    .action(async (id: number, opcoes: DoProvedor) => {
      await sessao.comContainer(async (servicos) => {
        const nota = await ler(servicos, opcoes.provedor, async ({ notas }) => notas.buscar(id));
        if (nota === null) throw new Recusa('nao_encontrado');
        const { valor, tentativas, ...resto } = nota;
        sessao.mostrar(opcoes.json, { ...resto, valor: escreverDinheiro(valor), tentativas }, [
          `Nota ${nota.id}: ${nota.situacao}, número ${nota.numero ?? '-'}, chave ${nota.chave ?? '-'}, protocolo ${nota.protocolo ?? '-'}.`,
          ...(nota.motivo === null ? [] : [`Motivo: ${nota.motivo} (${nota.motivoCodigo ?? '-'}).`]),
          ...nota.recusas.map(({ codigo, mensagem }) => `Recusa: ${mensagem} (${codigo}).`),
          ...tentativas.map(
            ({ em, operacao, codigo, erro }) => `${em.toISOString()} ${operacao}: ${codigo ?? erro ?? '-'}`,
          ),
        ]);
      });
    });

  deUma(nfcom, sessao, 'reemitir', 'emite de novo uma nota rejeitada, com o mesmo número');
  deUma(nfcom, sessao, 'descartar', 'desiste de uma nota que não foi autorizada; o número fica para a próxima');

  doProvedor(comando(nfcom.command('cancelar')))
    .usage('<id> --provedor <id> --justificativa <texto> [opções]')
    .description('pede o cancelamento de uma nota autorizada')
    .argument('<id>', 'id da nota', inteiro)
    .requiredOption('--justificativa <texto>', 'de 15 a 255 letras')
    .action(async (id: number, opcoes: DoProvedor & { justificativa: string }) => {
      const { justificativa } = opcoes;
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, escritas) => escritas.nfcom.cancelar(id, { justificativa }),
        () => sessao.mostrar(opcoes.json, { id }, [`Cancelamento da nota ${id} pedido.`]),
      );
    });

  doProvedor(comando(nfcom.command('substituir')))
    .usage('<id> --provedor <id> --motivo <motivo> [opções]')
    .description('emite, da fatura como está agora, a nota que toma o lugar de outra')
    .argument('<id>', 'id da nota', inteiro)
    .requiredOption(
      '--motivo <motivo>',
      '01 preço, 02 cadastro, 03 decisão judicial, 04 tributação, 05 descontinuidade',
    )
    .action(async (id: number, opcoes: DoProvedor & { motivo: string }) => {
      const { motivo } = opcoes;
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, escritas) => escritas.nfcom.substituir(id, { motivo }),
        (nova) => sessao.mostrar(opcoes.json, { id: nova, substitui: id }, [`Nota ${nova} pedida, no lugar da ${id}.`]),
      );
    });
}

function deUma(nfcom: Command, sessao: Sessao, nome: 'reemitir' | 'descartar', descricao: string): void {
  doProvedor(comando(nfcom.command(nome)))
    .usage('<id> --provedor <id> [opções]')
    .description(descricao)
    .argument('<id>', 'id da nota', inteiro)
    .action(async (id: number, opcoes: DoProvedor) => {
      const dito = nome === 'reemitir' ? `Nota ${id} na fila.` : `Nota ${id} descartada.`;
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, escritas) => escritas.nfcom[nome](id),
        () => sessao.mostrar(opcoes.json, { id }, [dito]),
      );
    });
}

/** @throws EntradaInvalida for what is no state */
function situacaoDita(dita: string | undefined): SituacaoNfcom | undefined {
  if (dita === undefined) return undefined;
  const situacao = SITUACOES_DE_NFCOM.find((uma) => uma === dita);
  if (situacao === undefined) throw new EntradaInvalida(`situacao: deve ser ${SITUACOES_DE_NFCOM.join(', ')}`);
  return situacao;
}

function mostrarPrevia(sessao: Sessao, json: boolean | undefined, previa: PreviaDaEmissao): void {
  const { valorDasFaturas, ...resto } = previa;
  const totais = Object.entries(previa.totais).map(([nome, valor]): [string, string] => [
    nome,
    escreverDinheiro(valor),
  ]);
  sessao.mostrar(
    json,
    { ...resto, valorDasFaturas: escreverDinheiro(valorDasFaturas), totais: Object.fromEntries(totais) },
    [
      `${contar(previa.notas, 'nota', 'notas')}; ${contar(previa.recusadasAoTodo, 'não pode', 'não podem')} ser emitidas.`,
      ...colunas(totais),
      ...previa.recusadas.map(
        ({ faturaId, motivos }) => `Fatura ${faturaId}: ${motivos.map(({ mensagem }) => mensagem).join('; ')}.`,
      ),
    ],
  );
}
