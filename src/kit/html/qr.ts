import { MARGEM_DO_QR as MARGEM, qrCode } from '../../brazil/pix/qr-code.ts';
import { constant } from './html.ts';
import type { Html } from './html.ts';

/** What it is, for who listens to the page. Written as it is, so it may hold nothing of anybody. */
type Dito = 'QR code do PIX' | 'QR code do convite' | 'QR code para o aplicativo';

/** A QR code as an image of its own, dark on white in every theme, one path. */
export function desenharQr(texto: string, dito: Dito = 'QR code do PIX'): Html {
  const { lado: modulos, tracos } = qrCode(texto);
  const lado = modulos + 2 * MARGEM;
  const caminho = tracos
    .map(({ linha, coluna, largura }) => `M${coluna + MARGEM} ${linha + MARGEM}h${largura}v1h-${largura}z`)
    .join('');
  return constant(
    `<svg viewBox="0 0 ${lado} ${lado}" role="img" aria-label="${dito}" shape-rendering="crispEdges">` +
      `<path fill="#fff" d="M0 0h${lado}v${lado}H0z"/><path fill="#000" d="${caminho}"/></svg>`,
  );
}
