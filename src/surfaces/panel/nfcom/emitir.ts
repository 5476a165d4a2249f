import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { opcional } from '../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../domain/campos/campos.ts';
import { data, escolha, id, uf } from '../../../domain/campos/leitores.ts';
import { CamposInvalidos } from '../../../domain/erros.ts';
import type { FiltroDeEmissao, PreviaDaEmissao, TotaisSomados } from '../../../domain/nfcom/emissao/emissao.types.ts';
import { lerFiltro } from '../../../domain/nfcom/emissao/emissao.campos.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, ficha, numero } from '../componentes/cartao.ts';
import { escreverReais, inteiro, quantos } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { comConsulta, tabela } from '../componentes/tabela.ts';
import { caixa, entrada, escolha as campoDeEscolha } from '../formulario/campos.ts';
import { preenchido, recusado } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { escondido, formulario } from '../formulario/formulario.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { avisosDasNotas } from './avisos.ts';
import { remedioDe } from './palavras.ts';

/** The filter of the batch, and whether its preview was asked for. */
export const CONSULTA_DA_EMISSAO = {
  emitidas_de: opcional(data),
  emitidas_ate: opcional(data),
  vencimento_de: opcional(data),
  vencimento_ate: opcional(data),
  plano: opcional(id),
  cliente: opcional(id),
  uf: opcional(uf),
  abertas: opcional(escolha(['sim'])),
  ver: opcional(escolha(['sim'])),
} as const;

type Consulta = ValoresDe<typeof CONSULTA_DA_EMISSAO>;

const ROTULOS = {
  emitidas_de: 'Emitidas de',
  emitidas_ate: 'até',
  vencimento_de: 'Vencem de',
  vencimento_ate: 'até',
  plano_id: 'Plano',
  cliente_id: 'Cliente',
  uf: 'UF',
};

/** The names by which the domain reads the filter. */
function filtroDe({
  plano,
  cliente,
  ver: _ver,
  abertas,
  ...datas
}: Consulta): Readonly<Record<string, string | number>> {
  const ditos = {
    ...datas,
    plano_id: plano,
    cliente_id: cliente,
    ...(abertas === undefined ? {} : { abertas: 'sim' }),
  };
  return Object.fromEntries(
    Object.entries(ditos).flatMap(([nome, valor]) => (valor === undefined ? [] : [[nome, valor]])),
  );
}

/** What would be issued, before it is. */
export async function telaDaEmissao(
  { consulta, dominio, sessao, agora }: Chamada<unknown, Consulta>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const doMes = `${hojeEm(sessao.provedor.fusoHorario, agora).slice(0, 8)}01` as Data;
  const escolhida = Object.values(consulta).some((valor) => valor !== undefined)
    ? consulta
    : { ...consulta, emitidas_de: doMes };
  const { filtro, falta } = consulta.ver === undefined ? NADA_PEDIDO : doEndereco(consulta);
  const [planos, avisos, previa] = await Promise.all([
    dominio.planos.listarTodos(),
    avisosDasNotas(dominio, sessao),
    filtro === null ? null : dominio.previaNfcom.previa(filtro),
  ]);
  return {
    titulo: 'Emitir notas',
    menu: 'nfcom',
    migalhas: [['Notas fiscais', '/nfcom']],
    corpo: html`${avisos}
      <p>
        De cada fatura sai uma nota ou, se ela é de vários contratos, uma de cada contrato. As que já têm nota, as
        canceladas, as que vieram de outro sistema e as parcelas de renegociação ficam de fora.
      </p>
      ${falta === null ? null : aviso('danger', falta)}
      ${recusado(estado) && previa === null ? aviso('danger', oQueFalta(estado)) : null} ${filtros(escolhida, planos)}
      ${previa === null ? null : resultado(previa, consulta, estado, sessao)}`,
  };
}

const NADA_PEDIDO = { filtro: null, falta: null };

/** The filter of the address, or what it lacks, in words: nobody typed it into a form that could say so beside a field. */
export function doEndereco(consulta: Consulta): {
  readonly filtro: FiltroDeEmissao | null;
  readonly falta: string | null;
} {
  try {
    return { filtro: lerFiltro(comCaixa(filtroDe(consulta))), falta: null };
  } catch (error) {
    if (!(error instanceof CamposInvalidos)) throw error;
    return { filtro: null, falta: emFrases(error.faltas) };
  }
}

const emFrases = (faltas: EstadoDoFormulario['faltas']): string =>
  faltas.map(({ mensagem }) => `${mensagem.charAt(0).toUpperCase()}${mensagem.slice(1)}.`).join(' ');

const oQueFalta = ({ faltas, recusa }: EstadoDoFormulario): string => recusa ?? emFrases(faltas);

/** A box of a filter, as the domain reads it. */
export const comCaixa = ({
  abertas,
  ...resto
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  abertas === undefined ? resto : { ...resto, abertas: abertas === true || abertas === 'sim' };

function filtros(consulta: Consulta, planos: readonly { readonly id: number; readonly nome: string }[]): Html {
  const estado = preenchido(consulta);
  const dia = (nome: keyof typeof ROTULOS): Html => entrada(estado, { nome, rotulo: ROTULOS[nome], tipo: 'date' });
  return html`<form class="filtros" method="get" action="${BASE}/nfcom/emitir" aria-label="Faturas">
    ${consulta.cliente === undefined ? null : escondido('cliente', consulta.cliente)} ${escondido('ver', 'sim')}
    ${dia('emitidas_de')} ${dia('emitidas_ate')} ${dia('vencimento_de')} ${dia('vencimento_ate')}
    ${campoDeEscolha(estado, {
      nome: 'plano',
      rotulo: 'Plano',
      vazia: 'Todos',
      opcoes: planos.map(({ id: valor, nome }) => ({ valor: String(valor), texto: nome })),
    })}
    ${entrada(estado, { nome: 'uf', rotulo: 'UF do cliente', maximo: 2 })}
    ${caixa(estado, { nome: 'abertas', rotulo: 'Só faturas em aberto' })}
    <div class="campo"><button class="btn btn-primary">${icone('eye')} Ver prévia</button></div>
  </form>`;
}

/** What a preview says of how much of the filter it has looked at, and what its button asks for. */
export function ditosDaPrevia({ notas, faturas, cortada }: Pick<PreviaDaEmissao, 'notas' | 'faturas' | 'cortada'>) {
  if (cortada === null) return { aviso: null, deQuais: '', botao: `Emitir ${quantos(notas, 'nota', 'notas')}` };
  const [todas, primeiras] = [quantos(faturas, 'fatura', 'faturas'), `das primeiras ${inteiro(cortada)}`];
  return {
    aviso: `São ${todas}, mais do que a prévia soma: as notas e os tributos abaixo são ${primeiras}; o valor das faturas é o de todas. Abaixo deles há como somar os de todas. O botão pede as notas de todas.`,
    deQuais: `, ${primeiras} faturas`,
    botao: `Emitir as notas de ${todas}`,
  };
}

/** What notes come to, by tax. */
export const tributos = (totais: TotaisSomados): Html =>
  ficha([
    ['Valor dos itens', escreverReais(totais.produtos)],
    ['Descontos', escreverReais(totais.desconto)],
    ['Base do ICMS', escreverReais(totais.baseDoIcms)],
    ['ICMS', escreverReais(totais.icms)],
    ['FCP', escreverReais(totais.fcp)],
    ['PIS', escreverReais(totais.pis)],
    ['COFINS', escreverReais(totais.cofins)],
    ['FUST', escreverReais(totais.fust)],
    ['FUNTTEL', escreverReais(totais.funttel)],
    ['IBS', escreverReais(totais.ibs)],
    ['CBS', escreverReais(totais.cbs)],
  ]);

function resultado(previa: PreviaDaEmissao, consulta: Consulta, estado: EstadoDoFormulario, sessao: Sessao): Html {
  const { notas, totais, recusadasAoTodo, esperam } = previa;
  const { aviso: dito, deQuais, botao } = ditosDaPrevia(previa);
  return html`${dito === null ? null : aviso('warning', dito)}
    ${
      consulta.plano === undefined
        ? null
        : aviso(
            'info',
            'De uma fatura de vários contratos em que um é do plano saem as notas de todos eles, também as dos outros planos.',
          )
    }
    ${
      esperam === 0
        ? null
        : aviso(
            'info',
            `${quantos(esperam, 'fatura espera', 'faturas esperam')} que o banco registre o boleto: a nota leva a linha dele, e sai depois.`,
          )
    }
    <div class="numeros">
      ${numero(inteiro(notas), `${notas === 1 ? 'nota' : 'notas'}${deQuais}`, null)}
      ${numero(escreverReais(totais.nota), `valor das notas${deQuais}`, null)}
      ${previa.cortada === null ? null : numero(escreverReais(previa.valorDasFaturas), `valor das ${quantos(previa.faturas, 'fatura', 'faturas')}`, null)}
      ${numero(inteiro(recusadasAoTodo), `não podem ser emitidas${deQuais}`, null)}
    </div>
    ${cartao(
      `Tributos${deQuais}`,
      html`${tributos(totais)}
      ${
        previa.cortada === null
          ? null
          : html`<a class="btn" href="${BASE}${comConsulta('/nfcom/emitir/tributos', consulta)}"
              >Somar os tributos de todas as faturas</a
            >`
      }`,
    )}
    ${recusadasAoTodo === 0 ? null : recusadas(previa, sessao)}
    ${
      notas + recusadasAoTodo === 0
        ? aviso('info', 'Nenhuma fatura sem nota com estes filtros.')
        : formulario({
            para: '/nfcom/emitir',
            estado,
            rotulos: ROTULOS,
            enviar: botao,
            volta: '/nfcom',
            corpo: html`${Object.entries(filtroDe(consulta)).map(([nome, valor]) => escondido(nome, valor))}
            ${
              recusadasAoTodo === 0
                ? null
                : html`<p>As que não podem ser emitidas entram na lista como rejeitadas, com o motivo.</p>`
            }`,
          })
    }`;
}

function recusadas({ recusadas: linhas, recusadasAoTodo }: PreviaDaEmissao, sessao: Sessao): Html {
  return cartao(
    `Não podem ser emitidas (${inteiro(recusadasAoTodo)})`,
    tabela({
      legenda: 'Faturas cuja nota não pode ser emitida',
      linhas,
      vazia: html``,
      colunas: [
        {
          titulo: 'Fatura',
          principal: true,
          celula: ({ faturaId }) => html`<a href="${BASE}/faturas/${faturaId}">Fatura ${faturaId}</a>`,
        },
        {
          titulo: 'Por quê',
          celula: ({ motivos }) => html`<div>${motivos.map(({ mensagem }) => html`<div>${mensagem}</div>`)}</div>`,
        },
        {
          titulo: 'O que fazer',
          celula: (linha) => {
            const remedios = linha.motivos.flatMap(({ codigo }) => remedioDe(codigo, linha) ?? []);
            const unicos = [...new Map(remedios.map((um) => [um.para, um])).values()];
            return html`<div>
              ${unicos
                .filter(({ permissao }) => pode(sessao, permissao))
                .map(({ para, texto }) => html`<div><a href="${BASE}${para}">${texto}</a></div>`)}
            </div>`;
          },
        },
      ],
    }),
    { rente: true },
  );
}
