import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { idDe } from './campos.ts';
import { recusado } from './estado.ts';
import type { EstadoDoFormulario } from './estado.ts';

/** A value that goes along and is not shown. */
export const escondido = (nome: string, valor: string | number): Html =>
  html`<input type="hidden" name="${nome}" value="${valor}" />`;

interface DoFormulario {
  /** By which fields elsewhere on the page belong to it. */
  readonly id?: string;
  /** Its address below `/painel`. */
  readonly para: string;
  readonly estado: EstadoDoFormulario;
  /** The labels of the fields, by their names, for the summary of faults. */
  readonly rotulos: Readonly<Record<string, string>>;
  readonly corpo: Html;
  readonly enviar: string;
  /** Whether a file comes with it; then it is sent without htmx. */
  readonly comArquivo?: boolean;
  /** Where whoever changes his mind goes back to, below `/painel`. */
  readonly volta?: string;
  readonly perigoso?: boolean;
  /** Whether htmx sends it, as it does unless a file is answered. */
  readonly porHtmx?: boolean;
}

/**
 * A form. With htmx, what is refused comes back in its place and the focus goes to the summary of what is wrong; without it, as a page.
 */
export function formulario(form: DoFormulario): Html {
  const { para, estado, rotulos, corpo, enviar, volta, perigoso, porHtmx = form.comArquivo !== true } = form;
  return html`<form
    ${form.id === undefined ? null : html`id="${form.id}"`}
    method="post"
    action="${BASE}${para}"
    ${porHtmx ? html`hx-post="${BASE}${para}" hx-target="#conteudo" hx-swap="innerMorph"` : null}
    novalidate
  >
    ${resumo(estado, rotulos)} ${corpo}
    <div class="acoes">
      <button
        class="btn ${perigoso === true ? 'btn-danger' : 'btn-primary'}"
        ${form.comArquivo === true ? html`formenctype="multipart/form-data"` : null}
      >
        ${enviar}
      </button>
      ${volta === undefined ? null : html`<a class="btn" href="${BASE}${volta}">Cancelar</a>`}
      <span class="espera text-secondary" role="status">Enviando…</span>
    </div>
  </form>`;
}

/** What is wrong with a form, with links to the fields; nothing while nothing is. */
function resumo(estado: EstadoDoFormulario, rotulos: Readonly<Record<string, string>>): Html | null {
  if (!recusado(estado)) return null;
  return html`<div class="alert alert-danger" role="alert" tabindex="-1" data-faltas>
    <div>
      <p class="fw-bold mb-1">${estado.recusa ?? 'Confira o que está marcado:'}</p>
      <ul class="mb-0">
        ${estado.faltas.map(({ campo, mensagem }) => {
          const doTodo = Object.keys(rotulos).find((um) => campo.startsWith(`${um}.`));
          const nome = Object.hasOwn(rotulos, campo) ? campo : (doTodo ?? campo);
          return html`<li><a href="#${idDe(nome)}">${rotulos[nome] ?? campo}: ${mensagem}.</a></li>`;
        })}
      </ul>
    </div>
  </div>`;
}

interface DoBotao {
  readonly para: string;
  readonly texto: string;
  readonly icone?: Html;
  readonly classe?: string;
  /** Values that go along. */
  readonly valores?: Readonly<Record<string, string | number>>;
  /** The part of the page that is shown anew, by its id; the whole page where it is absent. */
  readonly parte?: string;
  /** The key that presses it in a queue. */
  readonly tecla?: string;
}

/**
 * A form of one button: a change that asks for nothing else. It waits for what its part is being asked for, so that no older answer is shown
 * over its own.
 */
export function botao({ para, texto, icone, classe: daClasse = 'btn', valores = {}, parte, tecla }: DoBotao): Html {
  const porHtmx =
    parte === undefined
      ? html`hx-post="${BASE}${para}" hx-target="#conteudo" hx-swap="innerMorph"`
      : html`hx-post="${BASE}${para}" hx-target="#${parte}" hx-select="#${parte}" hx-swap="outerMorph"
        hx-sync="#${parte}:queue all"`;
  return html`<form method="post" action="${BASE}${para}" ${porHtmx}>
    ${Object.entries(valores).map(([nome, valor]) => escondido(nome, valor))}
    <button class="${daClasse}" ${tecla === undefined ? null : html`data-tecla="${tecla}"`}>
      ${icone ?? null} ${texto}
    </button>
  </form>`;
}
