import type { Endereco } from '../../../domain/enderecos/enderecos.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';

/** An address in one line, which leads to a map; null where nothing of it is known. */
export function lugar({ logradouro, numero, complemento, bairro, cidade, uf }: Endereco): Html | null {
  const texto = [logradouro, numero, complemento, bairro, cidade, uf]
    .filter((parte) => parte !== null && parte !== '')
    .join(', ');
  if (texto === '') return null;
  const mapa = `https://www.openstreetmap.org/search?query=${encodeURIComponent([logradouro, numero, cidade, uf].filter(Boolean).join(', '))}`;
  return html`${texto} <a class="text-nowrap" href="${mapa}" rel="noopener noreferrer" target="_blank">ver no mapa</a>`;
}
