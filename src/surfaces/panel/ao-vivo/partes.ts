import type { TipoAoVivo } from '../../../domain/eventos/ao-vivo.regras.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';

/** A request of the page itself, which nobody pressed anything for, says so by this header (`sim`). */
export const POR_SI = 'X-Por-Si';

/** The attribute of an element that asks by itself: what it asks for keeps no session open. */
export const PEDE_POR_SI = html`hx-headers='{"${POR_SI}":"sim"}'`;

/** The stream of news, which a page connects to again and again. */
export const EVENTOS = '/eventos';

interface DaParte {
  /** The id of the part; it is taken from the screen of the same address. */
  readonly id: string;
  /** Address below `/painel`, with its query. */
  readonly endereco: string;
  /** News that it is asked anew for. */
  readonly tipos: readonly Exclude<TipoAoVivo, 'sessao'>[];
  /** Only news of this thing. */
  readonly recursoId?: number;
  /** At most so often, in seconds, where its whole screen costs more than it is worth each second. */
  readonly cada?: number;
}

/** The attributes of a part of a page that stays true by itself: ativos/ao-vivo.ts asks for it when something happened. */
export const parteViva = ({ id, endereco, tipos, recursoId, cada }: DaParte): Html =>
  html`id="${id}" data-vive="${tipos.join(' ')}" ${recursoId === undefined ? null : html`data-vive-id="${recursoId}"`}
  ${cada === undefined ? null : html`data-vive-cada="${cada}"`} hx-get="${BASE}${endereco}" hx-trigger="renovar"
  hx-target="#${id}" hx-select="#${id}" hx-swap="outerMorph" ${PEDE_POR_SI}`;
