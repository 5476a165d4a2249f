import bwipjs from 'bwip-js/generic';
import { create } from 'qrcode';

/** Milímetros, como a FEBRABAN manda imprimir o código de barras. */
export const BARRAS = { largura: 103, altura: 13 } as const;

const MM = 72 / 25.4;
const ZONA_QUIETA_QR = 4;

/** As barras, com o canto superior esquerdo em (x, y), em milímetros. Quem chama deixa 5 mm vazios de cada lado. */
export function desenharBarras(doc: PDFKit.PDFDocument, codigo: string, x: number, y: number): void {
  // oxlint-disable-next-line import/no-named-as-default-member -- o `raw` exportado por nome é outro: um tipo de código
  const [simbolo] = bwipjs.raw({ bcid: 'interleaved2of5', text: codigo });
  if (simbolo === undefined || !('sbs' in simbolo)) throw new Error('a biblioteca não deu as barras');
  // A FEBRABAN quer a barra larga três vezes a estreita; a biblioteca dá duas.
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

/** O QR code em um quadrado de `lado` milímetros, dos quais quatro módulos de cada lado são a sua zona quieta. */
export function desenharQr(doc: PDFKit.PDFDocument, codigo: string, x: number, y: number, lado: number): void {
  const { modules } = create(codigo, { errorCorrectionLevel: 'M' });
  const modulo = (lado / (modules.size + 2 * ZONA_QUIETA_QR)) * MM;
  doc.save();
  doc.translate(x * MM + ZONA_QUIETA_QR * modulo, y * MM + ZONA_QUIETA_QR * modulo).scale(modulo);
  for (let linha = 0; linha < modules.size; linha += 1) {
    // Cada corrida de módulos escuros em um só retângulo: sem emendas, e em um terço dos bytes.
    for (let inicio = 0; inicio < modules.size; inicio += 1) {
      let fim = inicio;
      while (fim < modules.size && modules.get(linha, fim) !== 0) fim += 1;
      if (fim > inicio) doc.rect(inicio, linha, fim - inicio, 1);
      inicio = fim;
    }
  }
  doc.fill('black').restore();
}
