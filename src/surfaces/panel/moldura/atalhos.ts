import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';

const ATALHOS: readonly (readonly [teclas: string, oque: string])[] = [
  ['Ctrl+K ou /', 'buscar'],
  ['g depois i', 'Início'],
  ['g depois c', 'Clientes'],
  ['g depois t', 'Chamados'],
  ['g depois f', 'Faturas'],
  ['g depois r', 'Rede'],
  ['j e k', 'na fila: descer e subir'],
  ['Enter', 'na fila: abrir'],
  ['a, c, s', 'na fila: assumir, comentar, solucionar'],
  ['?', 'esta ajuda'],
];

/** The keys that do something, in a dialog. */
export function atalhos(): Html {
  return html`<dialog id="atalhos" aria-labelledby="atalhos-titulo">
    <div>
      <h2 id="atalhos-titulo">Atalhos do teclado</h2>
      <dl class="ficha">
        ${ATALHOS.map(
          ([teclas, oque]) =>
            html`<dt><kbd>${teclas}</kbd></dt>
              <dd>${oque}</dd>`,
        )}
      </dl>
      <p class="text-secondary mt-3">Em “Minha conta” as teclas sozinhas podem ser desligadas.</p>
      <button class="btn" data-fecha type="button">Fechar</button>
    </div>
  </dialog>`;
}
