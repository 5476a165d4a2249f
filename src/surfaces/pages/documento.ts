import { escreverTelefone } from '../../brazil/dinheiro/escrita.ts';
import type { Identidade } from '../../domain/provedores/identidade.types.ts';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import { colorsOn } from '../../kit/html/color.ts';
import { createPage } from '../../kit/html/document.ts';
import type { Page } from '../../kit/html/document.ts';
import { html } from '../../kit/html/html.ts';
import type { Html } from '../../kit/html/html.ts';
import { STYLE } from '../../kit/html/style.ts';

/** Whose page it is. */
export interface Anfitriao {
  readonly provedor: Provedor;
  readonly identidade: Identidade;
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

export function documento({ titulo, de, corpo, script, consulta }: Conteudo): Page {
  const nome = de?.provedor.nome ?? null;
  return createPage({
    title: nome === null ? titulo : `${titulo} · ${nome}`,
    style: estiloDe(de?.identidade.cor ?? COR_PADRAO),
    header: de === null ? null : cabecalho(de),
    main: corpo,
    footer: de === null ? null : rodape(de),
    ...(script === undefined ? {} : { script }),
    ...(consulta === undefined ? {} : { asks: consulta }),
  });
}

/** A document that says one thing. */
export function recado(titulo: string, de: Anfitriao | null, ...paragrafos: readonly (string | Html)[]): Page {
  const corpo = html`<h1>${titulo}</h1>
    ${paragrafos.map((paragrafo) => html`<p>${paragrafo}</p>`)}`;
  return documento({ titulo, de, corpo });
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
  const { text, edge } = colorsOn(cor);
  return `:root{--cor:${cor};--sobre:${text};--borda:${edge}}${STYLE}`;
}
