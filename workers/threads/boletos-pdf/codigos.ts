import bwipjs from 'bwip-js/generic';
import { create } from 'qrcode';

/** Millimetres, as FEBRABAN has the bar code printed. */
export const BARRAS = { largura: 103, altura: 13 } as const;

const MM = 72 / 25.4;
const ZONA_QUIETA_QR = 4;

/** The bars, with their upper left corner at (x, y), in millimetres. The caller leaves 5 mm empty on each side. */
export function desenharBarras(doc: PDFKit.PDFDocument, codigo: string, x: number, y: number): void {
  // oxlint-disable-next-line import/no-named-as-default-member -- the `raw` exported by name is another: a type of code
  const [simbolo] = bwipjs.raw({ bcid: 'interleaved2of5', text: codigo });
  if (simbolo === undefined || !('sbs' in simbolo)) throw new Error('a biblioteca não deu as barras');
  // FEBRABAN wants the wide bar three times the narrow one; the library makes it twice.
  const larguras = simbolo.sbs.map((largura) => (largura > 1 ? 3 : 1));
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

/** The QR code in a square of `lado` millimetres, of which four modules on each side are its quiet zone. */
export function desenharQr(doc: PDFKit.PDFDocument, codigo: string, x: number, y: number, lado: number): void {
  const { modules } = create(codigo, { errorCorrectionLevel: 'M' });
  const modulo = (lado / (modules.size + 2 * ZONA_QUIETA_QR)) * MM;
  doc.save();
  doc.translate(x * MM + ZONA_QUIETA_QR * modulo, y * MM + ZONA_QUIETA_QR * modulo).scale(modulo);
  for (let linha = 0; linha < modules.size; linha += 1) {
    // Each run of dark modules in one rectangle: without seams, and in a third of the bytes.
    for (let inicio = 0; inicio < modules.size; inicio += 1) {
      let fim = inicio;
      while (fim < modules.size && modules.get(linha, fim) !== 0) fim += 1;
      if (fim > inicio) doc.rect(inicio, linha, fim - inicio, 1);
      inicio = fim;
    }
  }
  doc.fill('black').restore();
}
