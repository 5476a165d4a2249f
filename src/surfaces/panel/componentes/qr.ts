import { MARGEM_DO_QR as MARGEM, qrCode } from '../../../brazil/pix/qr-code.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';

/** A QR code, dark on white in every theme. `oque`: what it holds, for who cannot see it. */
export function qr(texto: string, oque: string): Html {
  const { lado: modulos, tracos } = qrCode(texto);
  const lado = modulos + 2 * MARGEM;
  const caminho = tracos
    .map(({ linha, coluna, largura }) => `M${coluna + MARGEM} ${linha + MARGEM}h${largura}v1h-${largura}z`)
    .join('');
  return html`<svg
    class="qr"
    viewBox="0 0 ${lado} ${lado}"
    role="img"
    aria-label="${oque}"
    shape-rendering="crispEdges"
  >
    <path fill="#fff" d="M0 0h${lado}v${lado}H0z"></path>
    <path fill="#000" d="${caminho}"></path>
  </svg>`;
}
