import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';

/** A picture with its finding in words and its table, which says the same. */
export function figura(achado: string, desenho: Html | null, tabela: Html): Html {
  return html`<figure>
    <figcaption>${achado}</figcaption>
    ${desenho}
    <details class="mt-2">
      <summary>Tabela</summary>
      ${tabela}
    </details>
  </figure>`;
}

export interface Barra {
  /** What stands below it; empty where there is no room for every one. */
  readonly rotulo: string;
  readonly valor: number;
  /** A second value beside it. */
  readonly outro?: number;
  /** What is said of it when the pointer rests on it. */
  readonly dito: string;
  readonly classe?: 'g-barra' | 'g-ruim' | 'g-bom' | 'g-fraco';
}

const ALTURA = 140;
const PE = 18;
const POR_BARRA_DEITADA = 24;

/** Across, everything is in parts of the whole and texts in points: without a scale of its own, a text is as large on every screen. */
const parte = (n: number): string => `${arredondar(n * 100)}%`;

/** Bars from the left to the right, drawn without styles, so that the policy of the page admits it. */
export function barras(todas: readonly Barra[], titulo: string): Html {
  const maior = Math.max(1, ...todas.map(({ valor, outro = 0 }) => Math.max(valor, outro)));
  const passo = 1 / Math.max(1, todas.length);
  const altura = (valor: number): number => arredondar((valor / maior) * (ALTURA - PE - 16));
  const duas = todas.some(({ outro }) => outro !== undefined);
  const largura = passo * (duas ? 0.4 : 0.76);
  return html`<svg width="100%" height="${ALTURA}" role="img" aria-label="${titulo}">
    <line class="g-eixo" x1="0" x2="100%" y1="${ALTURA - PE}" y2="${ALTURA - PE}"></line>
    <text class="g-texto" x="0" y="10">${maior.toLocaleString('pt-BR')}</text>
    ${todas.map(({ rotulo, valor, outro, dito, classe = 'g-barra' }, n) => {
      const x = (n + 0.1) * passo;
      const barra = (quanto: number, desloca: number, daClasse: string): Html =>
        html`<rect
          class="${daClasse}"
          x="${parte(x + desloca)}"
          y="${ALTURA - PE - altura(quanto)}"
          width="${parte(largura)}"
          height="${altura(quanto)}"
        ></rect>`;
      return html`<g
        ><title>${dito}</title
        >${barra(valor, 0, classe)}${outro === undefined ? null : barra(outro, largura, 'g-barra2')}
        <text class="g-texto" x="${parte(x + largura * (duas ? 1 : 0.5))}" y="${ALTURA - 4}" text-anchor="middle"
          >${rotulo}</text
        ></g
      >`;
    })}
  </svg>`;
}

/** Bars that lie, one below the other: for names that would not stand side by side on a phone. */
export function barrasDeitadas(todas: readonly Omit<Barra, 'outro'>[], titulo: string): Html {
  const maior = Math.max(1, ...todas.map(({ valor }) => valor));
  return html`<svg width="100%" height="${todas.length * POR_BARRA_DEITADA}" role="img" aria-label="${titulo}">
    ${todas.map(
      ({ rotulo, valor, dito, classe = 'g-barra' }, n) =>
        html`<g
          ><title>${dito}</title><text class="g-texto" x="0" y="${n * POR_BARRA_DEITADA + 16}">${rotulo}</text
          ><rect
            class="${classe}"
            x="${parte(NOMES)}"
            y="${n * POR_BARRA_DEITADA + 4}"
            width="${parte((valor / maior) * (1 - NOMES - VALORES))}"
            height="16"
          ></rect
          ><text
            class="g-texto"
            x="${parte(NOMES + (valor / maior) * (1 - NOMES - VALORES) + 0.01)}"
            y="${n * POR_BARRA_DEITADA + 16}"
            >${valor.toLocaleString('pt-BR')}</text
          ></g
        >`,
    )}
  </svg>`;
}

/** The parts of the width that names and values take. */
const NOMES = 0.32;
const VALORES = 0.14;

export interface Trecho {
  /** Of the whole, from 0 to 1. */
  readonly de: number;
  readonly ate: number;
  readonly classe: 'g-bom' | 'g-ruim' | 'g-barra' | 'g-fraco';
  readonly dito: string;
}

export interface Faixa {
  readonly rotulo: string;
  readonly trechos: readonly Trecho[];
}

const ALTURA_DA_FAIXA = 22;
const MARGEM = 0.15;

/** One strip a day: what is between two bars is a gap. */
export function faixas(todas: readonly Faixa[], titulo: string): Html {
  const largura = 1 - MARGEM;
  return html`<svg width="100%" height="${todas.length * ALTURA_DA_FAIXA}" role="img" aria-label="${titulo}">
    ${todas.map(({ rotulo, trechos }, n) => {
      const y = n * ALTURA_DA_FAIXA;
      return html`<text class="g-texto" x="0" y="${y + 15}">${rotulo}</text>
        <rect class="g-fraco" x="${parte(MARGEM)}" y="${y + 10}" width="${parte(largura)}" height="1"></rect>
        ${trechos.map(
          ({ de, ate, classe, dito }) =>
            html`<rect
              class="${classe}"
              x="${parte(MARGEM + de * largura)}"
              y="${y + 4}"
              width="${parte(Math.max(MENOR_TRECHO, (ate - de) * largura))}"
              height="14"
              ><title>${dito}</title></rect
            >`,
        )}`;
    })}
  </svg>`;
}

/** So that a short one can still be seen. */
const MENOR_TRECHO = 0.002;

interface Serie {
  readonly nomes: readonly string[];
  /** Seconds since 1970, then the values of each name. */
  readonly dados: readonly (readonly (number | null)[])[];
}

/** A time series that can be zoomed, over its table; without script the table alone is there. Its screen needs the script `uplot`. */
export function serie(achado: string, { nomes, dados }: Serie, tabela: Html): Html {
  return html`<figure data-serie="${JSON.stringify({ series: nomes, dados })}" hx-morph-skip>
    <figcaption>${achado}</figcaption>
    <details class="mt-2">
      <summary>Tabela</summary>
      ${tabela}
    </details>
  </figure>`;
}

const arredondar = (n: number): number => Math.round(n * 10) / 10;
