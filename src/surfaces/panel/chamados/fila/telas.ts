import type { Destino } from '../../../../domain/chamados/fila/destinos.ts';
import type {
  ContagemDaFila,
  FiltroDaFila,
  PaginaDaFila,
  Responsavel,
} from '../../../../domain/chamados/fila/fila.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { parteViva } from '../../ao-vivo/partes.ts';
import { BASE } from '../../ativos/ativos.ts';
import { abas } from '../../componentes/cartao.ts';
import { quantos } from '../../componentes/escrita.ts';
import { comConsulta, paginas, vazio } from '../../componentes/tabela.ts';
import type { Opcao } from '../../formulario/campos.ts';
import type { Chamada } from '../../rota.ts';
import { pode } from '../../sessao.ts';
import { VARIOS } from '../varios.ts';
import { linhasDaFila } from './linhas.ts';
import { filtros } from './filtros.ts';
import type { FiltroDaTela } from './filtros.ts';

interface DaFila {
  readonly chamada: Chamada;
  readonly visao: FiltroDaFila['visao'];
  readonly filtro: FiltroDaTela;
  readonly contagem: ContagemDaFila;
  readonly pagina: PaginaDaFila;
  readonly responsaveis: readonly Responsavel[];
  /** Notices of the network by which it is narrowed. */
  readonly avisos: readonly Opcao[];
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
    { texto: 'Do dia', para: '/chamados?visao=dia', atual: atual === 'dia' },
  ]);

export function telaDaFila({
  chamada,
  visao,
  filtro,
  contagem,
  pagina,
  responsaveis,
  avisos,
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
    ${visoes(visao, contagem)} ${filtros(visao, filtro, responsaveis, avisos)}
    ${visao === 'fila' && pagina.itens.length > 1 && pode(chamada.sessao, 'chamados.atender') ? paraVarios(filtro) : null}
    <button class="btn btn-primary novos" type="button" data-novos hidden aria-live="polite"></button>
    ${
      pagina.itens.length === 0
        ? html`<div class="card">${semNada(visao, filtrada)}</div>`
        : html`<div class="card">
            ${linhasDaFila(chamada, { itens: pagina.itens, destinos, fechados: visao === 'fechados' })}
            ${paginas({
              total: resumo(visao, filtrada, contagem),
              anterior: seguinte ? comConsulta('/chamados', { visao: daVisao, ...filtro }) : null,
              proxima,
            })}
          </div>`
    }
  </div>`;
}

/** All that the filter finds can be answered together. */
const paraVarios = (filtro: FiltroDaTela): Html =>
  html`<p class="acoes"><a class="btn" href="${BASE}${comConsulta(VARIOS, { ...filtro })}">Responder vários</a></p>`;

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
