import { mesEscrito } from '../../../domain/faturamento/calculo/cobranca.regras.ts';
import type { PedidoDeFaturamento } from '../../../domain/faturamento/pedidos/pedidos.queries.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { PEDE_POR_SI } from '../ao-vivo/partes.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso } from '../componentes/cartao.ts';
import { instante, inteiro, quantos } from '../componentes/escrita.ts';
import type { Sessao } from '../sessao.ts';

/** Up to so many contracts a preview is reckoned while the page is made; of more, the worker does it. */
export const PREVIA_NA_HORA = 1000;

/** A part of a page that is asked for anew every two seconds, as long as the worker has something to do. */
export const enquantoFaz = (id: string, endereco: string, faz: boolean, corpo: Html): Html =>
  html`<div
    id="${id}"
    ${
      faz
        ? html`hx-get="${BASE}${endereco}" hx-select="#${id}" hx-target="#${id}" hx-swap="outerMorph" hx-trigger="every
          2s" ${PEDE_POR_SI}`
        : null
    }
  >
    ${corpo}
  </div>`;

/** How far something that was asked for has come. */
export function andamentoDo({ fusoHorario }: Sessao['provedor'], pedido: PedidoDeFaturamento): Html {
  const { tipo, mes, vistos, total, faturas, autor, pedidoEm, terminadoEm, motivo } = pedido;
  const oQue = tipo === 'previa' ? `A prévia de ${mesEscrito(mes)}` : `As faturas de ${mesEscrito(mes)}`;
  const quem = html`Pedido por ${autor}, ${instante(fusoHorario, pedidoEm)}.`;
  if (motivo !== null) return html`${aviso('danger', `${oQue}: não se terminou. ${motivo}`)}`;
  if (terminadoEm !== null) {
    return tipo === 'previa'
      ? html``
      : aviso('success', html`${oQue} estão feitas: ${quantos(faturas, 'fatura', 'faturas')}. ${quem}`);
  }
  const ate =
    total === null ? 'na fila' : `${inteiro(vistos)} de ${quantos(Math.max(total, vistos), 'contrato', 'contratos')}`;
  const feitas = tipo === 'previa' ? '' : `, ${quantos(faturas, 'fatura', 'faturas')}`;
  return html`<div class="card mb-3">
    <div class="card-body">
      <p class="mb-2">${oQue}: ${ate}${feitas}. ${quem} Segue sozinho, também com esta página fechada.</p>
      <progress class="progress w-100" max="${Math.max(total ?? 0, vistos, 1)}" value="${vistos}">${ate}</progress>
    </div>
  </div>`;
}
