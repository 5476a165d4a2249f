import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { ativos } from '../ativos/ativos.ts';
import type { Icone } from '../ativos/icones.ts';

/** A drawing beside words, which it repeats: whoever listens to the page does not hear of it. */
export const icone = (nome: Icone): Html =>
  html`<svg class="icon" aria-hidden="true" focusable="false">
    <use href="${ativos.address('icones.svg')}#${nome}"></use>
  </svg>`;

/** A drawing that stands alone, with what it says. */
export const iconeQueDiz = (nome: Icone, texto: string): Html =>
  html`${icone(nome)}<span class="invisivel">${texto}</span>`;
