import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';

/** A card with its heading. A table or list goes to its edges (`rente`). */
export function cartao(
  titulo: string | null,
  corpo: Html,
  {
    acoes = null,
    rente = false,
    id,
  }: { readonly acoes?: Html | null; readonly rente?: boolean; readonly id?: string } = {},
): Html {
  return html`<section class="card" ${id === undefined ? null : html`id="${id}"`}>
    ${
      titulo === null
        ? null
        : html`<div class="card-header">
            <h2 class="card-title">${titulo}</h2>
            <div class="card-actions acoes">${acoes}</div>
          </div>`
    }
    ${rente ? corpo : html`<div class="card-body">${corpo}</div>`}
  </section>`;
}

/** What is known of something: names and values. A value that is null is not known, and is not shown. */
export function ficha(linhas: readonly (readonly [nome: string, valor: Html | string | number | null])[]): Html {
  const conhecidas = linhas.filter(([, valor]) => valor !== null && valor !== '');
  return html`<dl class="ficha">
    ${conhecidas.map(
      ([nome, valor]) =>
        html`<dt>${nome}</dt>
          <dd>${valor}</dd>`,
    )}
  </dl>`;
}

/** A number that leads to the list of what it counts. */
export function numero(valor: string | number, oque: string, para: string | null, dica: string | null = null): Html {
  // An amount is one word, however long: its size follows the room there is.
  const eDinheiro = typeof valor === 'string' && valor.startsWith('R$');
  const quanto = eDinheiro ? html`<strong class="dinheiro">${valor}</strong>` : html`<strong>${valor}</strong>`;
  const dentro = html`${quanto}<span>${oque}</span>${
    dica === null ? null : html`<br /><small class="text-secondary">${dica}</small>`
  }`;
  return para === null
    ? html`<div class="numero">${dentro}</div>`
    : html`<a class="numero" href="${BASE}${para}">${dentro}</a>`;
}

export type Cor = 'green' | 'red' | 'orange' | 'blue' | 'yellow' | 'secondary' | 'purple' | 'azure';

/** A word in colour. The word says everything; the colour helps the eye. */
export const etiqueta = (texto: string, cor: Cor): Html => html`<span class="badge bg-${cor}-lt">${texto}</span>`;

export interface Aba {
  readonly texto: string;
  readonly para: string;
  readonly atual: boolean;
}

/** Views of the same thing, each with an address of its own. */
export const abas = (nome: string, todas: readonly Aba[]): Html =>
  html`<nav class="abas" aria-label="${nome}">
    ${todas.map(({ texto, para, atual }) => html`<a href="${BASE}${para}" ${atual ? html`aria-current="page"` : null}>${texto}</a>`)}
  </nav>`;

/** A notice that stays. */
export const aviso = (tipo: 'info' | 'warning' | 'danger' | 'success', corpo: Html | string): Html =>
  html`<div class="alert alert-${tipo}" role="${tipo === 'danger' ? 'alert' : 'status'}"><div>${corpo}</div></div>`;
