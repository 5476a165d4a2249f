import { escreverTelefone } from '../../../brazil/dinheiro/escrita.ts';
import { LEITURAS } from '../../../domain/provedores/configuracao/configuracao.regras.ts';
import type { Logo } from '../../../domain/provedores/identidade.types.ts';
import { colorsOn } from '../../../kit/html/color.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { COR_PADRAO } from '../moldura/cor.ts';

/** What of an identity stands on the subscriber's page. Texts may be half typed. */
export interface Previsto {
  readonly nome: string;
  readonly cor: string;
  readonly telefone: string;
  readonly whatsapp: string;
  readonly email: string;
  readonly site: string;
  readonly logo: Logo | null;
}

/** The subscriber's page as it would be, drawn: attributes of a drawing need no styles, which the policy of the page forbids. */
export function previa({ nome, cor, telefone, whatsapp, email, site, logo }: Previsto): Html {
  const fundo = LEITURAS.cor.ler(cor) ?? COR_PADRAO;
  const { text, edge } = colorsOn(fundo);
  const meios = [
    ...(telefone === '' ? [] : [`Telefone: ${numero(telefone)}`]),
    ...(whatsapp === '' ? [] : [`WhatsApp: ${numero(whatsapp)}`]),
    ...(email === '' ? [] : [`E-mail: ${email}`]),
    ...(site === '' ? [] : [`Site: ${site}`]),
  ];
  const alto = meios.length === 0 ? 250 : 290 + 22 * meios.length;
  return html`<svg
    class="previa"
    viewBox="0 0 360 ${alto}"
    role="img"
    aria-label="A página de pagamento de ${nome}, na cor ${fundo}"
  >
    <rect width="360" height="${alto}" rx="10" fill="#ffffff" stroke="#8a8f98"></rect>
    <path d="M0 10a10 10 0 0 1 10-10h340a10 10 0 0 1 10 10v50H0z" fill="${fundo}"></path>
    ${
      logo === null
        ? null
        : html`<image
            href="data:${logo.tipo};base64,${logo.bytes.toString('base64')}"
            x="16"
            y="10"
            width="40"
            height="40"
          ></image>`
    }
    <text x="${logo === null ? 16 : 68}" y="37" font-size="18" font-weight="700" fill="${text}">
      ${curto(nome, 28)}
    </text>
    <text x="16" y="100" font-size="20" font-weight="700" fill="#1a1a1a">Pagar a fatura</text>
    <text x="16" y="134" font-size="26" font-weight="700" fill="#1a1a1a">R$ 99,90</text>
    <text x="16" y="160" font-size="14" fill="#4a4a4a">vence em 10/12</text>
    <rect x="16" y="180" width="328" height="46" rx="8" fill="${fundo}" stroke="${edge}"></rect>
    <text x="180" y="209" font-size="16" font-weight="600" text-anchor="middle" fill="${text}">Copiar código PIX</text>
    ${
      meios.length === 0
        ? null
        : html`<text x="16" y="262" font-size="15" font-weight="700" fill="#1a1a1a">Precisa de ajuda?</text>
            ${meios.map((meio, n) => html`<text x="16" y="${286 + 22 * n}" font-size="14" fill="#1a1a1a">${curto(meio, 44)}</text>`)}`
    }
  </svg>`;
}

const numero = (digitado: string): string => escreverTelefone(LEITURAS.telefone.ler(digitado) ?? digitado);
const curto = (texto: string, letras: number): string =>
  texto.length <= letras ? texto : `${texto.slice(0, letras - 1)}…`;

/** The same, drawn anew while somebody types. */
export const previaViva = (previsto: Previsto): Html =>
  html`<div
    id="previa"
    hx-get="${BASE}/configuracoes/provedor/previa"
    hx-trigger="input from:#campos-da-identidade delay:300ms"
    hx-include="#campos-da-identidade"
    hx-swap="innerMorph"
  >
    ${previa(previsto)}
  </div>`;
