import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { opcional } from '../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../domain/campos/campos.ts';
import { escolha, id as umId } from '../../../domain/campos/leitores.ts';
import { somarMeses } from '../../../domain/faturamento/calculo/meses.regras.ts';
import { mesEscrito } from '../../../domain/faturamento/calculo/cobranca.regras.ts';
import { mes } from '../../../domain/faturamento/calculo/meses.leitores.ts';
import type { PedidoAcompanhado } from '../../../domain/faturamento/execucao/leitura.service.ts';
import type { PreviaDoFaturamento } from '../../../domain/faturamento/execucao/previa.regras.ts';
import { ESTRANHEZAS } from '../../../domain/faturamento/execucao/previa.regras.ts';
import type { RegrasDoFaturamento, VezFeita } from '../../../domain/faturamento/faturamento.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, etiqueta, ficha, numero } from '../componentes/cartao.ts';
import { escreverData, escreverReais, instante, inteiro, quantos, quemFez } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { comConsulta, paginas, tabela, vazio } from '../componentes/tabela.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { escondido, formulario } from '../formulario/formulario.ts';
import { PREVIA_NA_HORA, andamentoDo, enquantoFaz } from './pedidos.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';

export const CONSULTA_DA_PREVIA = { mes: opcional(mes) } as const;
export const CONSULTA_DOS_FATURAMENTOS = { antes: opcional(umId), carnes: opcional(escolha(['sim'])) } as const;

export const ORIGENS = { diario: 'Trabalho diário', pedido: 'Pedido da equipe', carne: 'Carnê' } as const;
export const quem = ({ autor }: VezFeita): string | null => (autor === null ? null : quemFez(autor));
export function situacaoDa({ desfazendo, desfeitoEm }: VezFeita): Html {
  if (desfazendo) return etiqueta('Sendo desfeito', 'orange');
  return desfeitoEm === null ? etiqueta('Feito', 'green') : etiqueta('Desfeito', 'secondary');
}
/** Previews and runs of months that were asked for: how many are looked at, for how long one that is done is spoken of. */
const PREVIAS_OLHADAS = 3;
const PEDIDOS_OLHADOS = 20;
const PEDIDO_RECENTE_MS = 10 * 60_000;
/** Of which somebody has to hear who was not there when it ended: it was not done, or not all of it. */
const PEDIDO_A_SABER_MS = 24 * 3_600_000;
const PREVIA_VALE_MS = 12 * 3_600_000;
const SEM_MES = 'Diga primeiro, em Configurações, Faturamento, desde que mês se fatura aqui.';

/** What was billed, and the way to bill a month. */
export async function telaDosFaturamentos({
  consulta: { antes, carnes },
  dominio,
  sessao,
  agora,
}: Chamada<unknown, ValoresDe<typeof CONSULTA_DOS_FATURAMENTOS>>): Promise<Tela> {
  const [regras, vezes, feitos, desfeitos] = await Promise.all([
    dominio.faturamento.regras(),
    dominio.faturamento.listar({ antesDe: antes, semCarnes: carnes === undefined }),
    dominio.faturamento.pedidos('faturas', PEDIDOS_OLHADOS),
    dominio.faturamento.pedidos('desfazer', PEDIDOS_OLHADOS),
  ]);
  // What was done a while ago is in the list of runs; of what goes on, all that is.
  const abertos = [...feitos.filter(eOUltimoDoMes), ...desfeitos].filter(({ terminadoEm, motivo, desfeito }) => {
    const ficou = (desfeito?.ficaram ?? 0) > 0;
    const mostrado = motivo !== null || ficou ? PEDIDO_A_SABER_MS : PEDIDO_RECENTE_MS;
    return terminadoEm === null || agora.getTime() - terminadoEm.getTime() < mostrado;
  });
  const faz = abertos.some(({ terminadoEm, semEfeito }) => terminadoEm === null || semEfeito);
  const hoje = hojeEm(sessao.provedor.fusoHorario, agora);
  const previa = (um: Data): Html =>
    html`<a class="btn" href="${BASE}/faturamento/previa?mes=${um.slice(0, 7)}"
      >${icone('eye')} Prévia de ${mesEscrito(um)}</a
    >`;
  return {
    titulo: 'Faturamento',
    menu: 'faturamento',
    acoes: html`${regras.desde === null ? null : html`${previa(somarMeses(hoje, 0))} ${previa(somarMeses(hoje, 1))}`}
      <a class="btn" href="${BASE}/faturamento/creditos">${icone('scale')} Créditos a acertar</a>
      ${
        pode(sessao, 'cobranca.editar')
          ? html`<a class="btn" href="${BASE}/configuracoes/faturamento">${icone('settings')} Configurar</a>`
          : null
      }`,
    corpo: html`${comoSeFatura(regras)}
    ${enquantoFaz(
      'faturamentos',
      comConsulta('/faturamento', { antes, carnes }),
      faz,
      html`${abertos.map((um) => andamentoDo(sessao, um))}
      ${cartao('Já feitos', tabelaDasVezes(vezes.itens, sessao), { rente: true, acoes: comOuSemCarnes(carnes) })}
      ${paginas({
        total: null,
        anterior: antes === undefined ? null : comConsulta('/faturamento', { carnes }),
        proxima: vezes.proxima === null ? null : comConsulta('/faturamento', { antes: vezes.proxima, carnes }),
      })}`,
    )}`,
  };
}

/** Of the newest first: what was asked for of the same month before is no news any more. */
const eOUltimoDoMes = (
  { id, mes: qual }: PedidoAcompanhado,
  _n: number,
  todos: readonly PedidoAcompanhado[],
): boolean => todos.find((um) => um.mes === qual)?.id === id;

/** Booklets are left out at first: of one contract each, they would hide the months. */
const comOuSemCarnes = (carnes: 'sim' | undefined): Html =>
  carnes === undefined
    ? html`<a href="${BASE}/faturamento?carnes=sim">Ver também os carnês</a>`
    : html`<a href="${BASE}/faturamento">Sem os carnês</a>`;

const comoSeFatura = ({ desde, antecedencia }: RegrasDoFaturamento): Html =>
  desde === null
    ? aviso('warning', `Nada é faturado sozinho. ${SEM_MES}`)
    : html`<p class="text-secondary">
        As mensalidades dos meses de serviço desde ${mesEscrito(desde)} são cobradas sozinhas,
        ${quantos(antecedencia, 'dia', 'dias')} antes de vencer, uma vez por contrato e mês. A prévia mostra um mês
        antes de ele ser feito, e permite fazê-lo já; o que foi feito pode ser desfeito, enquanto nada foi pago nem
        enviado.
      </p>`;

const tabelaDasVezes = (vezes: readonly VezFeita[], sessao: Sessao): Html =>
  tabela<VezFeita>({
    legenda: 'Faturamentos',
    linhas: vezes,
    vazia: vazio(
      'receipt',
      'Nenhum faturamento ainda',
      'Cada dia em que se fizeram cobranças fica aqui, com a soma; os carnês, à parte.',
    ),
    colunas: [
      {
        titulo: 'Dia',
        principal: true,
        celula: ({ id, dia }) => html`<a href="${BASE}/faturamento/${id}">${escreverData(dia)}</a>`,
      },
      {
        titulo: 'Como',
        celula: ({ origem, contratoId }) =>
          contratoId === null
            ? ORIGENS[origem]
            : html`Carnê do <a href="${BASE}/contratos/${contratoId}">contrato ${contratoId}</a>`,
      },
      { titulo: 'Faturas', direita: true, celula: ({ faturas }) => inteiro(faturas) },
      { titulo: 'Total', direita: true, celula: ({ total }) => escreverReais(total) },
      { titulo: 'Quem', celula: quem },
      {
        titulo: 'Situação',
        celula: (vez) =>
          vez.desfeitoEm === null || vez.desfazendo
            ? situacaoDa(vez)
            : html`<div>${situacaoDa(vez)} ${instante(sessao.provedor.fusoHorario, vez.desfeitoEm)}</div>`,
      },
    ],
  });

/** What a month would come to, before it is made. */
export async function telaDaPrevia(
  { consulta, dominio, sessao, agora }: Chamada<unknown, ValoresDe<typeof CONSULTA_DA_PREVIA>>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const hoje = hojeEm(sessao.provedor.fusoHorario, agora);
  const pedido = consulta.mes ?? somarMeses(hoje, 0);
  const { desde } = await dominio.faturamento.regras();
  const foraDoPrazo = pedido !== somarMeses(hoje, 0) && pedido !== somarMeses(hoje, 1);
  const titulo = `Prévia: vencimentos de ${mesEscrito(pedido)}`;
  const moldura = { titulo, menu: 'faturamento', migalhas: [['Faturamento', '/faturamento']] } as const;
  if (desde === null || foraDoPrazo)
    return { ...moldura, corpo: aviso('info', desde === null ? SEM_MES : 'Só se fatura este mês e o próximo.') };
  const mesPedido = { mes: pedido.slice(0, 7) };
  const faltam = await dominio.faturamento.quantosFaltam(mesPedido);
  if (faltam <= PREVIA_NA_HORA)
    return { ...moldura, corpo: resultado(sessao, await dominio.faturamento.previa(mesPedido), estado) };
  const [ultima] = (await dominio.faturamento.pedidos('previa', PREVIAS_OLHADAS)).filter((um) => um.mes === pedido);
  const corpo = previaDoWorker(sessao, pedido, faltam, { ultima, estado, agora });
  const faz = ultima?.terminadoEm === null;
  return { ...moldura, corpo: enquantoFaz('previa', `/faturamento/previa?mes=${mesPedido.mes}`, faz, corpo) };
}

/** Of many contracts: how far the preview has come, or the one that was reckoned last, with the way to have another. */
function previaDoWorker(
  sessao: Sessao,
  pedido: Data,
  faltam: number,
  {
    ultima,
    estado,
    agora,
  }: { readonly ultima: PedidoAcompanhado | undefined; readonly estado: EstadoDoFormulario; readonly agora: Date },
): Html {
  if (ultima?.terminadoEm === null) return andamentoDo(sessao, ultima);
  const pedir = (enviar: string): Html =>
    formulario({
      para: '/faturamento/previa/pedir',
      estado,
      rotulos: { mes: 'Mês' },
      enviar,
      corpo: html`${escondido('mes', pedido.slice(0, 7))}
        <p>
          São ${quantos(faltam, 'contrato', 'contratos')} por cobrar: a prévia se calcula à parte, e esta página mostra
          quanto falta.
        </p>`,
    });
  const { resultado: previa = null, terminadoEm = null } = ultima ?? {};
  const deHoje = terminadoEm !== null && agora.getTime() - terminadoEm.getTime() < PREVIA_VALE_MS;
  if (ultima === undefined || previa === null || !deHoje)
    return html`${ultima === undefined ? null : andamentoDo(sessao, ultima)} ${cartao(null, pedir('Calcular a prévia'))}`;
  return html`${aviso('info', html`Calculada ${instante(sessao.provedor.fusoHorario, terminadoEm)}; o que mudou depois não está nela.`)}
  ${resultado(sessao, previa, estado)} ${cartao(null, pedir('Calcular de novo'))}`;
}

function resultado(sessao: Sessao, previa: PreviaDoFaturamento, estado: EstadoDoFormulario): Html {
  const { mes: qual, faturas, cobrancas, total, anteriores, feitas, isentas, estranhas, estranhasAoTodo } = previa;
  return html`<div class="numeros">
      ${numero(inteiro(faturas), faturas === 1 ? 'fatura a fazer' : 'faturas a fazer', null)}
      ${numero(escreverReais(total), 'a cobrar', null)}
      ${numero(inteiro(estranhasAoTodo), estranhasAoTodo === 1 ? 'cobrança a conferir' : 'cobranças a conferir', null)}
    </div>
    ${cartao(
      null,
      ficha([
        ['Cobranças', inteiro(cobrancas)],
        [
          'De meses anteriores ao da cobrança',
          `${quantos(anteriores.cobrancas, 'contrato', 'contratos')}, ${escreverReais(anteriores.total)}`,
        ],
        ['Contratos isentos', inteiro(isentas)],
        ['Já feitas neste mês', `${inteiro(feitas.cobrancas)}, de ${escreverReais(feitas.total)}`],
      ]),
    )}
    ${
      faturas === 0
        ? aviso('info', 'Não há cobrança a fazer deste mês.')
        : cartao(
            null,
            formulario({
              para: '/faturamento/gerar',
              estado,
              rotulos: { mes: 'Mês' },
              enviar: `Fazer ${quantos(faturas, 'fatura', 'faturas')}`,
              volta: '/faturamento',
              corpo: html`${escondido('mes', qual.slice(0, 7))}
                <p>
                  São feitas já, com os contratos como estão, e a página seguinte mostra quantas faltam; o trabalho
                  diário não as repete. Sem isto, cada uma é feita no seu dia. Se faltam cobranças do mês anterior, são
                  feitas antes, em faturas à parte; na soma acima já estão.
                </p>`,
            }),
          )
    }
    ${estranhasAoTodo === 0 ? null : tabelaDasEstranhas(sessao, estranhas, estranhasAoTodo)}`;
}

const tabelaDasEstranhas = (sessao: Sessao, estranhas: PreviaDoFaturamento['estranhas'], aoTodo: number): Html =>
  cartao(
    `A conferir (${inteiro(aoTodo)})`,
    html`<p class="text-secondary px-3 pt-3 mb-2">
        ${aoTodo > estranhas.length ? `As primeiras ${inteiro(estranhas.length)}. ` : ''}Confira-as antes de fazer o
        mês: são cobradas como estão aqui, se nada mudar.
      </p>
      ${tabela({
        legenda: 'Cobranças a conferir',
        linhas: estranhas,
        vazia: html``,
        colunas: [
          {
            titulo: 'Contrato',
            principal: true,
            celula: ({ contratoId }) => html`<a href="${BASE}/contratos/${contratoId}">Contrato ${contratoId}</a>`,
          },
          {
            titulo: 'Por quê',
            celula: ({ clienteId, porque }) =>
              html`<div>
                ${porque.map((um) => ESTRANHEZAS[um]).join('; ')}${
                  porque.includes('sem_endereco') && pode(sessao, 'clientes.editar')
                    ? html`: <a href="${BASE}/clientes/${clienteId}/editar">completar</a>`
                    : null
                }
              </div>`,
          },
          { titulo: 'Valor', direita: true, celula: ({ valor }) => escreverReais(valor) },
          {
            titulo: 'Última cobrança',
            direita: true,
            celula: ({ ultima }) => (ultima === null ? null : escreverReais(ultima)),
          },
        ],
      })}`,
    { rente: true },
  );
