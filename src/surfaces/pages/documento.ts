import { hash } from 'node:crypto';
import { ESTILO } from './estilo.ts';
import { constante, html, paraTexto } from './html.ts';
import type { Html } from './html.ts';

/** What a page answers with. */
export interface Resposta {
  readonly status: number;
  /** Null: nothing is shown, the headers say where to go on. */
  readonly documento: Html | null;
  readonly cabecalhos?: Readonly<Record<string, string>>;
}

export interface Conteudo {
  readonly titulo: string;
  /** Name of the provider, once it is known. */
  readonly provedor: string | null;
  readonly corpo: Html;
  /** A constant of ours, which adds comfort and nothing that is needed. */
  readonly script?: string;
}

const ELEMENTO_DE_ESTILO = constante(`<style>${ESTILO}</style>`);

/** A whole document. */
export function documento({ titulo, provedor, corpo, script }: Conteudo): Html {
  return html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="format-detection" content="telephone=no" />
        <title>${provedor === null ? titulo : `${titulo} · ${provedor}`}</title>
        <link rel="icon" href="data:," />
        ${ELEMENTO_DE_ESTILO}
      </head>
      <body>
        ${provedor === null ? null : html`<header><p>${provedor}</p></header>`}
        <main>${corpo}</main>
        ${script === undefined ? null : constante(`<script>${script}</script>`)}
      </body>
    </html>`;
}

/** A document that says one thing. */
export function recado(titulo: string, provedor: string | null, ...paragrafos: readonly (string | Html)[]): Html {
  const corpo = html`<h1>${titulo}</h1>
    ${paragrafos.map((paragrafo) => html`<p>${paragrafo}</p>`)}`;
  return documento({ titulo, provedor, corpo });
}

/**
 * The policy of the pages that may run these scripts, constants all: what was not written by us does not run, wherever it
 * slipped in, and nothing is loaded from anywhere.
 */
export function politicaDeSeguranca(scripts: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src ${resumo(ESTILO)}`,
    `script-src ${scripts.map(resumo).join(' ')}`,
    'img-src data:',
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

const resumo = (texto: string): string => `'sha256-${hash('sha256', texto, 'base64')}'`;

/** The bytes to be sent. */
export function emBytes(pronto: Html): Buffer {
  return Buffer.from(paraTexto(pronto));
}
