import bwipjs from 'bwip-js/generic';
import { create } from 'qrcode';

/** The size of the bar code in millimetres, as FEBRABAN requires. */
export const BARS = { width: 103, height: 13 } as const;

const MM = 72 / 25.4;
const QUIET_ZONE = 4;

/** Draws the bars; (x, y) is their upper left corner in millimetres. The caller leaves 5 mm empty on each side. */
export function drawBars(doc: PDFKit.PDFDocument, code: string, x: number, y: number): void {
  // oxlint-disable-next-line import/no-named-as-default-member -- the named export `raw` is something else: a type of bar code
  const [symbol] = bwipjs.raw({ bcid: 'interleaved2of5', text: code });
  if (symbol === undefined || !('sbs' in symbol)) throw new Error('a biblioteca não deu as barras');
  // FEBRABAN requires wide bars of three times the narrow ones; the library makes them twice as wide.
  const widths = symbol.sbs.map((width) => (width > 1 ? 3 : 1));
  const modules = widths.reduce((sum, width) => sum + width, 0);
  doc.save();
  doc.translate(x * MM, y * MM).scale((BARS.width / modules) * MM, MM);
  let at = 0;
  for (const [i, width] of widths.entries()) {
    if (i % 2 === 0) doc.rect(at, 0, width, BARS.height);
    at += width;
  }
  doc.fill('black').restore();
}

/** Draws a QR code in a square of `side` millimetres, of which four modules on each side are its quiet zone. */
export function drawQr(doc: PDFKit.PDFDocument, code: string, x: number, y: number, side: number): void {
  const { modules } = create(code, { errorCorrectionLevel: 'M' });
  const moduleSize = (side / (modules.size + 2 * QUIET_ZONE)) * MM;
  doc.save();
  doc.translate(x * MM + QUIET_ZONE * moduleSize, y * MM + QUIET_ZONE * moduleSize).scale(moduleSize);
  for (let row = 0; row < modules.size; row += 1) {
    // Each run of dark modules is one rectangle: without seams, and with a third of the bytes.
    for (let start = 0; start < modules.size; start += 1) {
      let end = start;
      while (end < modules.size && modules.get(row, end) !== 0) end += 1;
      if (end > start) doc.rect(start, row, end - start, 1);
      start = end;
    }
  }
  doc.fill('black').restore();
}
