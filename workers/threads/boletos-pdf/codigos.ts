import { barrasIntercaladas } from '../../../src/brazil/boleto/barras.ts';
import { MARGEM_DO_QR, qrCode } from '../../../src/brazil/pix/qr-code.ts';

/** Millimetres, as FEBRABAN has the bar code printed. */
export const BARRAS = { largura: 103, altura: 13 } as const;

const MM = 72 / 25.4;

/** The bars, with their upper left corner at (x, y), in millimetres. The caller leaves 5 mm empty on each side. */
export function desenharBarras(doc: PDFKit.PDFDocument, codigo: string, x: number, y: number): void {
  const larguras = barrasIntercaladas(codigo);
  const modulos = larguras.reduce((soma, largura) => soma + largura, 0);
  doc.save();
  doc.translate(x * MM, y * MM).scale((BARRAS.largura / modulos) * MM, MM);
  let onde = 0;
  for (const [i, largura] of larguras.entries()) {
    if (i % 2 === 0) doc.rect(onde, 0, largura, BARRAS.altura);
    onde += largura;
  }
  doc.fill('black').restore();
}

/** The QR code in a square of `lado` millimetres, its margin included. */
export function desenharQr(doc: PDFKit.PDFDocument, codigo: string, x: number, y: number, lado: number): void {
  const { lado: modulos, tracos } = qrCode(codigo);
  const modulo = (lado / (modulos + 2 * MARGEM_DO_QR)) * MM;
  doc.save();
  doc.translate(x * MM + MARGEM_DO_QR * modulo, y * MM + MARGEM_DO_QR * modulo).scale(modulo);
  for (const { linha, coluna, largura } of tracos) doc.rect(coluna, linha, largura, 1);
  doc.fill('black').restore();
}
