import { diaDaSemana, hojeEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Agenda, ChamadoDaEquipe, Responsavel } from '../../../domain/chamados/fila/fila.types.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { parteViva } from '../ao-vivo/partes.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao } from '../componentes/cartao.ts';
import { escreverData, hora } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { comConsulta, vazio } from '../componentes/tabela.ts';
import { opcao } from '../formulario/campos.ts';
import { escondido } from '../formulario/formulario.ts';
import type { Chamada, Tela } from '../rota.ts';
import { visoes } from './fila/telas.ts';
import { prioridade, situacao } from './palavras.ts';

const DIAS = ['domingo', 'segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado'];

interface DaAgenda {
  readonly dia: Data | undefined;
  readonly dias: '1' | '7' | undefined;
  readonly responsavel: number | undefined;
}

/** Visits of a day, or of a week from Monday on, by who makes them. */
export async function telaDaAgenda(chamada: Chamada, { dia, dias = '1', responsavel }: DaAgenda): Promise<Tela> {
  const { dominio, sessao, agora, endereco } = chamada;
  const { fusoHorario } = sessao.provedor;
  const hoje = hojeEm(fusoHorario, agora);
  const pedido = dia ?? hoje;
  const quantos = Number(dias);
  const primeiro = quantos === 7 ? somarDias(pedido, -((diaDaSemana(pedido) + 6) % 7)) : pedido;
  const [agenda, contagem, responsaveis] = await Promise.all([
    dominio.filaDeChamados.agenda(primeiro, quantos, responsavel),
    dominio.filaDeChamados.contar(sessao.usuario.id),
    dominio.filaDeChamados.responsaveis(),
  ]);
  const para = (outro: Data, outros = dias): string =>
    comConsulta('/chamados/agenda', { dia: outro, dias: outros, responsavel });
  const ultimo = somarDias(primeiro, quantos - 1);
  const titulo = quantos === 1 ? nomeDoDia(primeiro) : `${escreverData(primeiro)} a ${escreverData(ultimo)}`;
  return {
    titulo: 'Agenda de visitas',
    menu: 'chamados',
    corpo: html`<div ${parteViva({ id: 'agenda', endereco, tipos: ['chamado'] })}>
      ${visoes('agenda', contagem)}
      <nav class="acoes mb-3" aria-label="Dias da agenda">
        <a class="btn" href="${BASE}${para(somarDias(primeiro, -quantos))}">${icone('chevron-left')} Antes</a>
        <a class="btn" href="${BASE}${para(hoje)}">Hoje</a>
        <a class="btn" href="${BASE}${para(somarDias(primeiro, quantos))}">Depois ${icone('chevron-right')}</a>
        <a class="btn" href="${BASE}${para(pedido, quantos === 1 ? '7' : '1')}"
          >${quantos === 1 ? 'Ver a semana' : 'Ver um dia'}</a
        >
      </nav>
      ${quem(responsaveis, { dia, dias, responsavel })}
      <h2 class="mb-2">${titulo}</h2>
      ${agenda.cortada ? aviso('warning', 'Há mais visitas do que cabe aqui: escolha um técnico ou menos dias.') : null}
      ${corpo(agenda, primeiro, quantos, fusoHorario)}
    </div>`,
  };
}

function quem(responsaveis: readonly Responsavel[], { dia, dias, responsavel }: DaAgenda): Html {
  return html`<form class="filtros" method="get" action="${BASE}/chamados/agenda" hx-morph-skip>
    ${dia === undefined ? null : escondido('dia', dia)} ${dias === undefined ? null : escondido('dias', dias)}
    <div>
      <label class="form-label" for="agenda-de">De quem</label>
      <select class="form-select" id="agenda-de" name="responsavel">
        <option value="">todos</option>
        ${responsaveis.map(({ id, nome }) => opcao({ valor: String(id), texto: nome }, String(responsavel ?? '')))}
      </select>
    </div>
    <button class="btn">Mostrar</button>
  </form>`;
}

const nomeDoDia = (dia: Data): string => `${DIAS[diaDaSemana(dia)] ?? ''}, ${escreverData(dia)}`;

function corpo({ porResponsavel }: Agenda, primeiro: Data, quantos: number, fuso: string): Html {
  const diaDe = ({ agendadoPara }: ChamadoDaEquipe): Data | null =>
    agendadoPara === null ? null : hojeEm(fuso, agendadoPara);
  if (porResponsavel.length === 0) {
    const texto = 'Marque uma no chamado, em “Visita”.';
    return html`<div class="card">${vazio('calendar', 'Nenhuma visita marcada', texto)}</div>`;
  }
  if (quantos === 1) {
    return html`<div class="semana">
      ${porResponsavel.map(({ responsavel, visitas }) => cartao(nomeDe(responsavel), lista(visitas, fuso)))}
    </div>`;
  }
  const dias = Array.from({ length: quantos }, (_, n) => somarDias(primeiro, n));
  return html`<div class="semana">
    ${dias.map((dia) => {
      const delas = porResponsavel.flatMap(({ visitas }) => visitas.filter((visita) => diaDe(visita) === dia));
      const grupos = [...groupBy(delas, ({ responsavel }) => responsavel?.id ?? null).values()];
      return cartao(
        nomeDoDia(dia),
        delas.length === 0
          ? html`<p class="m-0 text-secondary">Nenhuma visita.</p>`
          : html`${grupos.map(
              (visitas) =>
                html`<h3 class="h4 mt-2 mb-0">${nomeDe(visitas[0]?.responsavel ?? null)}</h3>
                  ${lista(visitas, fuso)}`,
            )}`,
      );
    })}
  </div>`;
}

const nomeDe = (responsavel: Responsavel | null): string => responsavel?.nome ?? 'Sem responsável';

const lista = (visitas: readonly ChamadoDaEquipe[], fuso: string): Html =>
  html`<ul class="list-unstyled m-0">
    ${visitas.map((visita) => {
      const { id, assunto, agendadoPara, duracaoMinutos } = visita;
      return html`<li class="visita">
        <strong>${agendadoPara === null ? '' : hora(fuso, agendadoPara)}</strong>
        <span class="text-secondary">${duracaoMinutos ?? 60} min</span> ${situacao(visita.situacao)}
        ${prioridade(visita.prioridade)}
        <div><a href="${BASE}/chamados/${id}">#${id} ${assunto}</a></div>
        <div class="text-secondary">${visita.clienteNome}</div>
      </li>`;
    })}
  </ul>`;
