import { barrasIntercaladas } from '../../../src/brazil/boleto/barras.ts';
import { MARGEM_DO_QR, qrCode } from '../../../src/brazil/pix/qr-code.ts';

/** The size of the bar code in millimetres, as FEBRABAN requires. */
export const BARS = { width: 103, height: 13 } as const;

const MM = 72 / 25.4;

/** Draws the bars; (x, y) is their upper left corner in millimetres. The caller leaves 5 mm empty on each side. */
export function drawBars(doc: PDFKit.PDFDocument, code: string, x: number, y: number, size = BARS): void {
  const widths = barrasIntercaladas(code);
  const modules = widths.reduce((sum, width) => sum + width, 0);
  doc.save();
  doc.translate(x * MM, y * MM).scale((size.width / modules) * MM, MM);
  let at = 0;
  for (const [i, width] of widths.entries()) {
    if (i % 2 === 0) doc.rect(at, 0, width, size.height);
    at += width;
  }
  doc.fill('black').restore();
}

/** Draws a QR code in a square of `side` millimetres, with its margin. */
export function drawQr(doc: PDFKit.PDFDocument, code: string, x: number, y: number, side: number): void {
  const { lado: modules, tracos: runs } = qrCode(code);
  const moduleSize = (side / (modules + 2 * MARGEM_DO_QR)) * MM;
  doc.save();
  doc.translate(x * MM + MARGEM_DO_QR * moduleSize, y * MM + MARGEM_DO_QR * moduleSize).scale(moduleSize);
  for (const { linha, coluna, largura } of runs) doc.rect(coluna, linha, largura, 1);
  doc.fill('black').restore();
}
