import { create } from 'qrcode';
import { constant } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';

/** White modules around a code (ISO/IEC 18004, section 6.3.8). */
const MARGEM = 4;

/** A QR code as an image of its own, dark on white, one path. */
export function desenharQr(texto: string): Html {
  const { modules } = create(texto, { errorCorrectionLevel: 'M' });
  const lado = modules.size + 2 * MARGEM;
  let tracos = '';
  for (let linha = 0; linha < modules.size; linha += 1) {
    for (let coluna = 0; coluna < modules.size; coluna += 1) {
      const inicio = coluna;
      while (coluna < modules.size && modules.get(linha, coluna) !== 0) coluna += 1;
      const largura = coluna - inicio;
      if (largura > 0) tracos += `M${inicio + MARGEM} ${linha + MARGEM}h${largura}v1h-${largura}z`;
    }
  }
  return constant(
    `<svg viewBox="0 0 ${lado} ${lado}" role="img" aria-label="QR code do PIX" shape-rendering="crispEdges">` +
      `<path fill="#fff" d="M0 0h${lado}v${lado}H0z"/><path fill="#000" d="${tracos}"/></svg>`,
  );
}
