import type { Destino } from '../../../domain/chamados/fila/destinos.ts';
import type {
  ContagemDaFila,
  FiltroDaFila,
  LinhaDaFila,
  PaginaDaFila,
  Responsavel,
} from '../../../domain/chamados/fila/fila.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { parteViva } from '../ao-vivo/partes.ts';
import { BASE } from '../ativos/ativos.ts';
import type { Icone } from '../ativos/icones.ts';
import { abas } from '../componentes/cartao.ts';
import { ha, instante, quantos, telefone } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { comConsulta, paginas, vazio } from '../componentes/tabela.ts';
import { botao } from '../formulario/formulario.ts';
import type { Chamada } from '../rota.ts';
import { pode } from '../sessao.ts';
import { filtros } from './filtros.ts';
import type { FiltroDaTela } from './filtros.ts';
import { lugar } from './lugar.ts';
import { CATEGORIAS, conexao, origem, prioridade, situacao } from './palavras.ts';

interface DaFila {
  readonly chamada: Chamada;
  readonly visao: FiltroDaFila['visao'];
  readonly filtro: FiltroDaTela;
  readonly contagem: ContagemDaFila;
  readonly pagina: PaginaDaFila;
  readonly responsaveis: readonly Responsavel[];
  /** Where to go and whom to call, of whose tickets are shown for that. */
  readonly destinos: ReadonlyMap<number, Destino>;
  /** Whether this is not the first page. */
  readonly seguinte: boolean;
}

/** The views of the tickets, with how many each has. */
export const visoes = (atual: string, { abertos, meus }: ContagemDaFila): Html =>
  abas('Visões dos chamados', [
    { texto: `Fila (${abertos})`, para: '/chamados', atual: atual === 'fila' },
    { texto: `Meus (${meus})`, para: '/chamados?visao=meus', atual: atual === 'meus' },
    { texto: 'Agenda', para: '/chamados/agenda', atual: atual === 'agenda' },
    { texto: 'Fechados', para: '/chamados?visao=fechados', atual: atual === 'fechados' },
  ]);

export function telaDaFila({
  chamada,
  visao,
  filtro,
  contagem,
  pagina,
  responsaveis,
  destinos,
  seguinte,
}: DaFila): Html {
  const { endereco } = chamada;
  const daVisao = visao === 'fila' ? null : visao;
  const filtrada = Object.values(filtro).some((valor) => valor !== undefined);
  const proxima =
    pagina.proxima === null ? null : comConsulta('/chamados', { visao: daVisao, ...filtro, apos: pagina.proxima });
  // On a page after the first, and with filters, a new ticket is not known to belong here.
  const contaNovos = visao === 'fila' && !filtrada && !seguinte;
  return html`<div
    ${parteViva({ id: 'fila', endereco, tipos: ['chamado', 'conexao'] })}
    data-lista
    data-fila
    data-esperando="${contagem.esperando}"
    ${contaNovos ? html`data-ultimo="${contagem.ultimo}"` : null}
  >
    ${visoes(visao, contagem)} ${filtros(visao, filtro, responsaveis)}
    <button class="btn btn-primary novos" type="button" data-novos hidden aria-live="polite"></button>
    ${
      pagina.itens.length === 0
        ? html`<div class="card">${semNada(visao, filtrada)}</div>`
        : html`<div class="card">
            ${linhas(chamada, visao, pagina.itens, destinos)}
            ${paginas({
              total: resumo(visao, filtrada, contagem),
              anterior: seguinte ? comConsulta('/chamados', { visao: daVisao, ...filtro }) : null,
              proxima,
            })}
          </div>`
    }
  </div>`;
}

function resumo(
  visao: string,
  filtrada: boolean,
  { abertos, semResponsavel, esperando }: ContagemDaFila,
): string | null {
  if (visao !== 'fila' || filtrada) return null;
  const abertosDitos = quantos(abertos, 'chamado aberto', 'chamados abertos');
  return `${abertosDitos}: ${semResponsavel} sem responsável, ${esperando} à espera da equipe`;
}

function semNada(visao: string, filtrada: boolean): Html {
  if (filtrada) {
    const todos = html`<a class="btn" href="${BASE}${comConsulta('/chamados', { visao })}">Limpar os filtros</a>`;
    return vazio(
      'filter',
      'Nenhum chamado com estes filtros',
      'Outros chamados podem existir: tire um filtro para vê-los.',
      todos,
    );
  }
  if (visao === 'meus') {
    const fila = html`<a class="btn" href="${BASE}/chamados">Ver a fila</a>`;
    return vazio('ticket', 'Nenhum chamado é seu agora', 'Assuma um na fila, ou espere que lhe deem um.', fila);
  }
  if (visao === 'fechados')
    return vazio('ticket', 'Nenhum chamado fechado', 'Os solucionados e cancelados ficam aqui.');
  return vazio(
    'circle-check',
    'A fila está vazia',
    'Chamados abertos pela API, pelo app e pela equipe aparecem aqui na hora.',
  );
}

function linhas(chamada: Chamada, visao: string, itens: readonly LinhaDaFila[], destinos: DaFila['destinos']): Html {
  const fechados = visao === 'fechados';
  const nomes = [
    'Prioridade',
    'Chamado',
    'Cliente',
    'Situação',
    'Origem',
    fechados ? 'Fechado' : 'Idade',
    'Responsável',
  ];
  return html`<div class="table-responsive">
    <table class="table table-vcenter tabela vira">
      <caption class="invisivel">
        Chamados
      </caption>
      <thead>
        <tr>
          ${nomes.map((nome) => html`<th scope="col">${nome}</th>`)}
          <th scope="col"><span class="invisivel">Ações</span></th>
        </tr>
      </thead>
      <tbody>
        ${itens.map((item) => linha(chamada, fechados, item, destinos.get(item.id)))}
      </tbody>
    </table>
  </div>`;
}

function linha(chamada: Chamada, fechados: boolean, item: LinhaDaFila, destino?: Destino): Html {
  const { sessao, agora } = chamada;
  const { id, categoria, responsavel, agendadoPara } = item;
  const quando = fechados ? item.fechadoEm : item.abertoEm;
  return html`<tr id="chamado-${id}">
    <td data-rotulo="Prioridade">${prioridade(item.prioridade)}</td>
    <td class="titulo">
      <a data-linha href="${BASE}/chamados/${id}"><span class="text-secondary">#${id}</span> ${item.assunto}</a>
      ${
        agendadoPara === null || fechados
          ? null
          : html`<div class="text-secondary fw-normal">
              visita ${instante(sessao.provedor.fusoHorario, agendadoPara)}
            </div>`
      }
    </td>
    <td data-rotulo="Cliente">
      <span
        >${item.clienteNome}<br />${conexao(item.conexao)} ${destino === undefined ? null : comoChegar(destino)}</span
      >
    </td>
    <td data-rotulo="Situação">
      <span
        >${situacao(item.situacao)}
        ${categoria === null ? null : html`<span class="text-secondary">${CATEGORIAS[categoria]}</span>`}</span
      >
    </td>
    <td data-rotulo="Origem">${origem(item.origem)}</td>
    <td data-rotulo="${fechados ? 'Fechado' : 'Idade'}">
      <span
        >${ha(agora, quando)}${item.esperaEquipe && !fechados ? html`<br /><span class="text-secondary">espera a equipe</span>` : null}</span
      >
    </td>
    <td data-rotulo="Responsável">
      ${responsavel === null ? html`<span class="text-secondary">ninguém</span>` : responsavel.nome}
    </td>
    <td>
      <div class="acoes da-linha">${pode(sessao, 'chamados.atender') ? acoes(chamada, fechados, item) : null}</div>
    </td>
  </tr>`;
}

const comoChegar = ({ telefones, endereco }: Destino): Html =>
  html`${telefones.slice(0, 2).map((numero) => html`<div class="text-nowrap">${telefone(numero)}</div>`)}
  ${endereco === null ? null : html`<div>${lugar(endereco)}</div>`}`;

function acoes(
  { sessao, endereco }: Chamada,
  fechados: boolean,
  { id, assunto, responsavel, versao }: LinhaDaFila,
): Html {
  const link = (fazer: string, texto: string, tecla: string, desenho: Icone): Html =>
    html`<a class="btn btn-sm" title="${texto}" data-tecla="${tecla}" href="${BASE}/chamados/${id}?fazer=${fazer}"
      >${icone(desenho)}<span class="por-extenso">${texto}</span><span class="invisivel"> #${id} ${assunto}</span></a
    >`;
  if (fechados) return link('reabrir', 'Reabrir', 'r', 'refresh');
  return html`${
    responsavel?.id === sessao.usuario.id
      ? null
      : botao({
          para: `/chamados/${id}/assumir`,
          texto: 'Assumir',
          classe: 'btn btn-sm',
          valores: { atualizado_em: versao.toISOString(), volta: endereco },
          parte: 'fila',
          tecla: 'a',
        })
  }
  ${link('comentar', 'Comentar', 'c', 'message')} ${link('solucionar', 'Solucionar', 's', 'check')}`;
}
