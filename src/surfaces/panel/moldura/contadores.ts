import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { EVENTOS, PEDE_POR_SI } from '../ao-vivo/partes.ts';
import { BASE } from '../ativos/ativos.ts';

interface Numeros {
  readonly chamados: number | null;
  readonly naoLidas: number | null;
}

/** What the frame counts, asked anew when something happened; ativos/ao-vivo.ts writes it wherever it stands. */
export const contadores = ({ chamados, naoLidas }: Numeros): Html =>
  html`<span
    id="contadores"
    hidden
    data-chamados="${chamados ?? 0}"
    data-nao-lidas="${naoLidas ?? 0}"
    data-vive="chamado notificacao"
    hx-get="${BASE}/notificacoes/contadores"
    hx-trigger="renovar"
    hx-target="#contadores"
    hx-swap="outerMorph"
    ${PEDE_POR_SI}
  ></span>`;

/** One of these numbers with what it counts in words; hidden while there is none. */
export const conta = (nome: 'chamados' | 'nao-lidas', n: number | null, classe: string, oque: string): Html =>
  html`<span class="${classe}" data-conta="${nome}" ${n === null || n === 0 ? html`hidden` : null}
    ><span>${escrever(n ?? 0)}</span><span class="invisivel"> ${oque}</span></span
  >`;

const escrever = (n: number): string => (n > 99 ? '99+' : String(n));

/** Whether the page hears news; the words stand there only when it is known. */
export const linhaAoVivo = (): Html =>
  html`<span
    id="ao-vivo"
    class="vivo"
    hx-sse:connect="${BASE}${EVENTOS}"
    hx-trigger="load, religar"
    hx-swap="none"
    hx-config='{"sse":{"reconnectDelay":1000,"reconnectMaxDelay":15000,"reconnectJitter":0.8}}'
    ><span data-dito></span
  ></span>`;
