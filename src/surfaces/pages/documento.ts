import { hash } from 'node:crypto';
import type { Identidade } from '../../domain/provedores/identidade.types.ts';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import { escreverTelefone } from '../../brazil/dinheiro/escrita.ts';
import { coresSobre } from './cor.ts';
import { ESTILO } from './estilo.ts';
import { constante, html, paraTexto } from './html.ts';
import type { Html } from './html.ts';

/** Whose page it is. */
export interface Anfitriao {
  readonly provedor: Provedor;
  readonly identidade: Identidade;
}

/** A whole document, and what it may do. */
export interface Pagina {
  readonly html: Html;
  /** Its Content-Security-Policy. */
  readonly politica: string;
}

export interface Conteudo {
  readonly titulo: string;
  /** Null while it is not known whose page it is. */
  readonly de: Anfitriao | null;
  readonly corpo: Html;
  /** A constant of ours, which adds comfort and nothing that is needed. */
  readonly script?: string;
  /** Whether the script asks our own host for news. */
  readonly consulta?: boolean;
}

const COR_PADRAO = '#0b4f5c';

export function documento({ titulo, de, corpo, script, consulta = false }: Conteudo): Pagina {
  const estilo = estiloDe(de?.identidade.cor ?? COR_PADRAO);
  const nome = de?.provedor.nome ?? null;
  return {
    politica: politicaDeSeguranca(estilo, script, consulta),
    html: html`<!doctype html>
      <html lang="pt-BR">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex, nofollow" />
          <meta name="format-detection" content="telephone=no" />
          <title>${nome === null ? titulo : `${titulo} · ${nome}`}</title>
          <link rel="icon" href="data:," />
          ${constante(`<style>${estilo}</style>`)}
        </head>
        <body>
          ${de === null ? null : cabecalho(de)}
          <main>${corpo}</main>
          ${de === null ? null : rodape(de)} ${script === undefined ? null : constante(`<script>${script}</script>`)}
        </body>
      </html>`,
  };
}

/** A document that says one thing. */
export function recado(titulo: string, de: Anfitriao | null, ...paragrafos: readonly (string | Html)[]): Pagina {
  const corpo = html`<h1>${titulo}</h1>
    ${paragrafos.map((paragrafo) => html`<p>${paragrafo}</p>`)}`;
  return documento({ titulo, de, corpo });
}

/** The bytes to be sent. */
export function emBytes(pronto: Html): Buffer {
  return Buffer.from(paraTexto(pronto));
}

function cabecalho({ provedor, identidade: { logo } }: Anfitriao): Html {
  const imagem =
    logo === null
      ? null
      : html`<img src="data:${logo.tipo};base64,${logo.bytes.toString('base64')}" alt="" height="40" />`;
  return html`<header>
    <p>${imagem}<span>${provedor.nome}</span></p>
  </header>`;
}

/** Where to find help; nothing where the provider has not said. */
function rodape({ identidade: { suporte } }: Anfitriao): Html | null {
  const { telefone, whatsapp, email, site } = suporte;
  const meios = [
    ...(telefone === null
      ? []
      : [html`<li>Telefone: <a href="tel:+55${semPais(telefone)}">${escreverTelefone(telefone)}</a></li>`]),
    ...(whatsapp === null
      ? []
      : [
          html`<li>
            WhatsApp: <a href="https://wa.me/55${semPais(whatsapp)}" rel="noreferrer">${escreverTelefone(whatsapp)}</a>
          </li>`,
        ]),
    ...(email === null ? [] : [html`<li>E-mail: <a href="mailto:${email}">${email}</a></li>`]),
    ...(site === null ? [] : [html`<li>Site: <a href="https://${site}" rel="noreferrer">${site}</a></li>`]),
  ];
  if (meios.length === 0) return null;
  return html`<footer>
    <h2>Precisa de ajuda?</h2>
    <ul>
      ${meios}
    </ul>
  </footer>`;
}

const semPais = (digitos: string): string => (digitos.length > 11 ? digitos.slice(2) : digitos);

/** The style sheet in a provider's colour. */
function estiloDe(cor: string): string {
  const { texto, borda } = coresSobre(cor);
  return `:root{--cor:${cor};--sobre:${texto};--borda:${borda}}${ESTILO}`;
}

/**
 * What a document may do: what was not written by us does not run, wherever it slipped in, and nothing is loaded from anywhere. Its style
 * and script are named by their hashes.
 */
function politicaDeSeguranca(estilo: string, script: string | undefined, consulta: boolean): string {
  return [
    "default-src 'none'",
    `style-src ${resumo(estilo)}`,
    ...(script === undefined ? [] : [`script-src ${resumo(script)}`]),
    ...(consulta ? ["connect-src 'self'"] : []),
    'img-src data:',
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

const resumo = (texto: string): string => `'sha256-${hash('sha256', texto, 'base64')}'`;
