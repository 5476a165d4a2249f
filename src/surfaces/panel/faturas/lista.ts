import { opcional } from '../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../domain/campos/campos.ts';
import { data, escolha, id, texto } from '../../../domain/campos/leitores.ts';
import type { FiltroDaLista, TotaisDaLista } from '../../../domain/faturas/lista/lista.types.ts';
import { FILTROS_DE_SITUACAO } from '../../../domain/faturas/faturas.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao, numero } from '../componentes/cartao.ts';
import { escreverData, escreverReais, hora, inteiro, quantos } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { comConsulta, paginas, tabela, vazio } from '../componentes/tabela.ts';
import { entrada, escolha as campoDeEscolha } from '../formulario/campos.ts';
import { preenchido } from '../formulario/estado.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import { TIPOS, situacaoDaFatura } from './termos.ts';

/** The parameters by which the list is narrowed, and the place of its page. */
export const CONSULTA_DA_LISTA = {
  situacao: opcional(escolha(FILTROS_DE_SITUACAO)),
  tipo: opcional(escolha(['boleto', 'pix', 'carne', 'carteira'])),
  cliente: opcional(id),
  contrato: opcional(id),
  vencimento_de: opcional(data),
  vencimento_ate: opcional(data),
  pago_de: opcional(data),
  pago_ate: opcional(data),
  depois: opcional(texto(1, 400)),
} as const;

type Consulta = ValoresDe<typeof CONSULTA_DA_LISTA>;

const SITUACOES = [
  { valor: 'todas', texto: 'Todas' },
  { valor: 'aberta', texto: 'Em aberto' },
  { valor: 'vencida', texto: 'Vencidas' },
  { valor: 'pendente', texto: 'A vencer' },
  { valor: 'paga', texto: 'Pagas' },
  { valor: 'cancelada', texto: 'Canceladas' },
  { valor: 'estornada', texto: 'Estornadas' },
];

/** A day of payment is said of paid invoices alone, so no state goes with it. */
function filtroDe(consulta: Consulta): FiltroDaLista {
  const { cliente, contrato, tipo, vencimento_de, vencimento_ate, pago_de, pago_ate } = consulta;
  const porPagamento = pago_de !== undefined || pago_ate !== undefined;
  return {
    situacao: porPagamento ? 'todas' : situacaoDe(consulta),
    clienteId: cliente,
    contratoId: contrato,
    tipo,
    vencimentoDe: vencimento_de,
    vencimentoAte: vencimento_ate,
    pagoDe: pago_de,
    pagoAte: pago_ate,
  };
}

/** Of everybody, what is open is what people work on; of one client, all. */
function situacaoDe({ situacao, cliente, contrato, pago_de, pago_ate }: Consulta): NonNullable<Consulta['situacao']> {
  if (pago_de !== undefined || pago_ate !== undefined) return 'paga';
  return situacao ?? (cliente === undefined && contrato === undefined ? 'aberta' : 'todas');
}

/** The list of invoices, with the sums of all that the filter finds. */
export async function telaDaLista(chamada: Chamada<unknown, Consulta>): Promise<Tela> {
  const { consulta, dominio, sessao } = chamada;
  const filtro = filtroDe(consulta);
  const { depois = null, ...semLugar } = consulta;
  const [{ itens, proxima }, totais] = await Promise.all([
    dominio.listaDeFaturas.listar(filtro, depois),
    dominio.listaDeFaturas.totais(filtro),
  ]);
  const filtrada = Object.values(semLugar).some((valor) => valor !== undefined);
  const nova = pode(sessao, 'faturas.criar')
    ? html`<a class="btn btn-primary" href="${BASE}${comConsulta('/faturas/nova', { cliente: consulta.cliente })}"
        >${icone('plus')} Nova fatura</a
      >`
    : null;
  const linhas = tabela({
    legenda: 'Faturas',
    colunas: [
      {
        titulo: 'Fatura',
        principal: true,
        celula: ({ id: fatura, descricao }) =>
          html`<a href="${BASE}/faturas/${fatura}">nº ${fatura}</a>
            <div class="text-secondary">${descricao ?? ''}</div>`,
      },
      {
        titulo: 'Cliente',
        celula: ({ clienteId, clienteNome }) =>
          pode(sessao, 'clientes.ver')
            ? html`<a href="${BASE}/clientes/${clienteId}">${clienteNome}</a>`
            : html`${clienteNome}`,
      },
      { titulo: 'Vencimento', celula: ({ vencimento }) => escreverData(vencimento) },
      { titulo: 'Tipo', celula: ({ tipo }) => (tipo === null ? '' : TIPOS[tipo]) },
      { titulo: 'Valor', direita: true, celula: ({ valor }) => escreverReais(valor) },
      {
        titulo: 'A pagar hoje',
        direita: true,
        celula: ({ aPagar, segundaVia }) => (segundaVia === null ? '' : escreverReais(aPagar)),
      },
      { titulo: 'Situação', celula: ({ situacao }) => situacaoDaFatura(situacao) },
    ],
    linhas: itens,
    vazia: filtrada
      ? vazio(
          'file-invoice',
          'Nenhuma fatura com estes filtros',
          'Mude a situação ou as datas para ver outras.',
          html`<a class="btn" href="${BASE}/faturas?situacao=todas">Ver todas</a>`,
        )
      : vazio(
          'file-invoice',
          'Nenhuma fatura em aberto',
          'As mensalidades e as faturas avulsas que ainda não foram pagas aparecem aqui.',
          html`<a class="btn" href="${BASE}/faturas?situacao=todas">Ver todas</a>`,
        ),
  });
  return {
    titulo: 'Faturas',
    menu: 'faturas',
    acoes: nova,
    corpo: html`${filtros(consulta)} ${numerosDe(totais, chamada)}
    ${cartao(
      null,
      html`${linhas}
      ${paginas({
        total: totais.mais
          ? `mais de ${inteiro(totais.quantas)} faturas`
          : quantos(totais.quantas, 'fatura', 'faturas'),
        anterior: null,
        proxima: proxima === null ? null : comConsulta('/faturas', { ...semLugar, depois: proxima }),
      })}
      ${
        depois === null
          ? null
          : html`<p class="px-3 pb-3 m-0">
              <a href="${BASE}${comConsulta('/faturas', semLugar)}">Voltar à primeira página</a>
            </p>`
      }`,
      { rente: true },
    )}`,
  };
}

function filtros(consulta: Consulta): Html {
  const estado = preenchido({ ...consulta, situacao: situacaoDe(consulta) });
  const dia = (nome: 'vencimento_de' | 'vencimento_ate' | 'pago_de' | 'pago_ate', rotulo: string): Html =>
    entrada(estado, { nome, rotulo, tipo: 'date', obrigatorio: false });
  return html`<form class="filtros" method="get" action="${BASE}/faturas" aria-label="Filtros">
    ${consulta.cliente === undefined ? null : html`<input type="hidden" name="cliente" value="${consulta.cliente}" />`}
    ${consulta.contrato === undefined ? null : html`<input type="hidden" name="contrato" value="${consulta.contrato}" />`}
    ${campoDeEscolha(estado, { nome: 'situacao', rotulo: 'Situação', obrigatorio: true, opcoes: SITUACOES })}
    ${campoDeEscolha(estado, {
      nome: 'tipo',
      rotulo: 'Tipo',
      vazia: 'Todos',
      opcoes: Object.entries(TIPOS).map(([valor, escrito]) => ({ valor, texto: escrito })),
    })}
    ${dia('vencimento_de', 'Vence de')} ${dia('vencimento_ate', 'até')} ${dia('pago_de', 'Paga de')}
    ${dia('pago_ate', 'até')}
    <div class="campo"><button class="btn">${icone('filter')} Filtrar</button></div>
  </form>`;
}

/** What the filter finds, summed; what was counted a while ago says so. */
function numerosDe(totais: TotaisDaLista, { agora, sessao }: Chamada<unknown, Consulta>): Html {
  const { aberto, vencido, recebido, mais, de } = totais;
  if (mais || aberto === null || vencido === null || recebido === null) {
    return html`<p class="text-secondary">
      São mais de ${inteiro(totais.quantas)} faturas: escolha um período ou uma situação para ver as somas.
    </p>`;
  }
  const quando = agora.getTime() - de.getTime() < 2000 ? null : `contado às ${hora(sessao.provedor.fusoHorario, de)}`;
  return html`<div class="numeros">
    ${numero(escreverReais(aberto), 'em aberto, sem encargos', null, quando)}
    ${numero(escreverReais(vencido), 'vencido, sem encargos', null, quando)}
    ${numero(escreverReais(recebido), 'recebido', null, quando)}
  </div>`;
}
