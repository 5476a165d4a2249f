import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { icone } from './icone.ts';
import type { Icone } from '../ativos/icones.ts';

type Celula = Html | string | number | null;

export interface Coluna<Linha> {
  readonly titulo: string;
  readonly celula: (linha: Linha) => Celula;
  /** Numbers stand to the right. */
  readonly direita?: boolean;
  /** On a phone, where each row is a card, this is its heading. */
  readonly principal?: boolean;
}

interface DaTabela<Linha> {
  /** What the table is, for who listens to the page. */
  readonly legenda: string;
  readonly colunas: readonly Coluna<Linha>[];
  readonly linhas: readonly Linha[];
  /** What stands there instead while there are no rows. */
  readonly vazia: Html;
  readonly id?: string;
}

/** A table, whose rows become cards on a phone. */
export function tabela<Linha>({ legenda, colunas, linhas, vazia, id }: DaTabela<Linha>): Html {
  if (linhas.length === 0) return vazia;
  return html`<div class="table-responsive" tabindex="0" role="region" aria-label="${legenda}">
    <table class="table table-vcenter tabela vira" ${id === undefined ? null : html`id="${id}"`}>
      <caption class="invisivel">
        ${legenda}
      </caption>
      <thead>
        <tr>
          ${colunas.map(({ titulo, direita }) => html`<th scope="col" class="${direita === true ? 'direita' : ''}">${titulo}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${linhas.map(
          (linha) =>
            html`<tr>
              ${colunas.map(({ titulo, celula, direita, principal }) => {
                const classes = [direita === true ? 'direita' : '', principal === true ? 'titulo' : '']
                  .join(' ')
                  .trim();
                const rotulo = principal === true ? null : html`data-rotulo="${titulo}"`;
                return html`<td class="${classes}" ${rotulo}>${celula(linha)}</td>`;
              })}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Says what would be there, why it is not, and what to do next. */
export function vazio(desenho: Icone, titulo: string, texto: string, passo: Html | null = null): Html {
  return html`<div class="vazio">
    ${icone(desenho)}
    <p class="fw-bold mt-2 mb-1">${titulo}</p>
    <p class="text-secondary">${texto}</p>
    ${passo}
  </div>`;
}

interface DasPaginas {
  /** How many there are, in words, such as `14 chamados`. */
  readonly total: string | null;
  /** Addresses below `/painel`. */
  readonly anterior: string | null;
  readonly proxima: string | null;
}

/** The way to the pages before and after. */
export function paginas({ total, anterior, proxima }: DasPaginas): Html | null {
  if ((total ?? '') === '' && anterior === null && proxima === null) return null;
  const link = (endereco: string | null, texto: string): Html | null =>
    endereco === null ? null : html`<a class="btn" href="${BASE}${endereco}">${texto}</a>`;
  return html`<nav class="paginas" aria-label="Páginas">
    <span class="text-secondary">${total ?? ''}</span>
    <span class="acoes">${link(anterior, 'Anteriores')} ${link(proxima, 'Próximos')}</span>
  </nav>`;
}

/** An address with a query, of which what is null or empty is left out. */
export function comConsulta(
  caminho: string,
  consulta: Readonly<Record<string, string | number | null | undefined>>,
): string {
  const partes = new URLSearchParams();
  for (const [nome, valor] of Object.entries(consulta)) {
    if (valor !== null && valor !== undefined && valor !== '') partes.set(nome, String(valor));
  }
  const texto = partes.toString();
  return texto === '' ? caminho : `${caminho}?${texto}`;
}
