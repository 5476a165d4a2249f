import type { Destino } from '../../../../domain/chamados/fila/destinos.ts';
import type { LinhaDaFila } from '../../../../domain/chamados/fila/fila.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import type { Icone } from '../../ativos/icones.ts';
import { ha, instante, telefone } from '../../componentes/escrita.ts';
import { icone } from '../../componentes/icone.ts';
import { botao } from '../../formulario/formulario.ts';
import type { Chamada } from '../../rota.ts';
import { pode } from '../../sessao.ts';
import { lugar } from '../lugar.ts';
import { CATEGORIAS, conexao, origem, prioridade, situacao } from '../palavras.ts';

interface DasLinhas {
  readonly itens: readonly LinhaDaFila[];
  /** Where to go and whom to call, by ticket, of those that are shown for that. */
  readonly destinos: ReadonlyMap<number, Destino>;
  /** Closed tickets are looked back at: they have no visit ahead, and are reopened instead of taken. */
  readonly fechados: boolean;
}

/** Of rows that were read once for several people, what was drawn of them; as long as somebody has these rows. */
const desenhadas = new WeakMap<readonly LinhaDaFila[], Map<string, Html>>();

/** The same as `desenhar`, once for all to whom it looks the same: a ticket that comes is drawn by every queue that is open. */
export function linhasDaFila(chamada: Chamada, das: DasLinhas): Html {
  const { itens, destinos, fechados } = das;
  const { sessao, endereco } = chamada;
  if (destinos.size > 0) return desenhar(chamada, das);
  const { id } = sessao.usuario;
  const tem = itens.some(({ responsavel }) => responsavel?.id === id);
  const nome = JSON.stringify([endereco, fechados, pode(sessao, 'chamados.atender'), tem ? id : null]);
  let deles = desenhadas.get(itens);
  if (deles === undefined) desenhadas.set(itens, (deles = new Map<string, Html>()));
  let desenho = deles.get(nome);
  if (desenho === undefined) deles.set(nome, (desenho = desenhar(chamada, das)));
  return desenho;
}

/** Tickets as rows, each with what the person who looks may do with it in one click. */
function desenhar(chamada: Chamada, { itens, destinos, fechados }: DasLinhas): Html {
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
  // Among all of them are closed ones, too.
  const fechado = fechados || item.fechadoEm !== null;
  const quando = fechados ? item.fechadoEm : item.abertoEm;
  return html`<tr id="chamado-${id}">
    <td data-rotulo="Prioridade">${prioridade(item.prioridade)}</td>
    <td class="titulo">
      <a data-linha href="${BASE}/chamados/${id}"><span class="text-secondary">#${id}</span> ${item.assunto}</a>
      ${
        agendadoPara === null || fechado
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
        >${ha(agora, quando)}${item.esperaEquipe && !fechado ? html`<br /><span class="text-secondary">espera a equipe</span>` : null}</span
      >
    </td>
    <td data-rotulo="Responsável">
      ${responsavel === null ? html`<span class="text-secondary">ninguém</span>` : responsavel.nome}
    </td>
    <td>
      <div class="acoes da-linha">${pode(sessao, 'chamados.atender') ? acoes(chamada, fechado, item) : null}</div>
    </td>
  </tr>`;
}

const comoChegar = ({ telefones, endereco }: Destino): Html =>
  html`${telefones.slice(0, 2).map((numero) => html`<div class="text-nowrap">${telefone(numero)}</div>`)}
  ${endereco === null ? null : html`<div>${lugar(endereco)}</div>`}`;

function acoes(
  { sessao, endereco }: Chamada,
  fechado: boolean,
  { id, assunto, responsavel, versao }: LinhaDaFila,
): Html {
  const link = (fazer: string, texto: string, tecla: string, desenho: Icone): Html =>
    html`<a class="btn btn-sm" title="${texto}" data-tecla="${tecla}" href="${BASE}/chamados/${id}?fazer=${fazer}"
      >${icone(desenho)}<span class="por-extenso">${texto}</span><span class="invisivel"> #${id} ${assunto}</span></a
    >`;
  if (fechado) return link('reabrir', 'Reabrir', 'r', 'refresh');
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
