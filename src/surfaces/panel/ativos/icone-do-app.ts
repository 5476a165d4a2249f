import { crc32, deflateSync } from 'node:zlib';

/** An "M", by the ends of its strokes on a square of 100; inside the circle that every system leaves of an icon. */
const LETRA = [
  [30, 70],
  [30, 32],
  [50, 56],
  [70, 32],
  [70, 70],
] as const;
const LARGURA = 10;
const FUNDO = '#0b4f5c';

export const ICONE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><path fill="${FUNDO}" d="M0 0h100v100H0z"/><path fill="none" stroke="#fff" stroke-width="${LARGURA}" stroke-linecap="round" stroke-linejoin="round" d="M${LETRA.join(' ')}"/></svg>`;

/** The same as a PNG, which phones ask for that show no SVG on their first screen. */
export function iconePng(lado: number): Buffer {
  const fundo = Buffer.from(FUNDO.slice(1), 'hex');
  const linha = 1 + 3 * lado;
  const pixels = Buffer.alloc(linha * lado);
  for (let y = 0; y < lado; y += 1) {
    for (let x = 0; x < lado; x += 1) {
      const branco = cobertura(((x + 0.5) * 100) / lado, ((y + 0.5) * 100) / lado, 100 / lado);
      for (const [n, cor] of fundo.entries()) pixels[y * linha + 1 + 3 * x + n] = cor + (255 - cor) * branco;
    }
  }
  const cabeca = Buffer.alloc(13);
  cabeca.writeUInt32BE(lado, 0);
  cabeca.writeUInt32BE(lado, 4);
  // Eight bits of red, green and blue, not interlaced.
  cabeca.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    parte('IHDR', cabeca),
    parte('IDAT', deflateSync(pixels)),
    parte('IEND', Buffer.alloc(0)),
  ]);
}

/** How much of a pixel the letter covers, from 0 to 1. */
function cobertura(x: number, y: number, pixel: number): number {
  let longe = Infinity;
  for (const [n, [x1, y1]] of LETRA.slice(0, -1).entries()) {
    const [x2, y2] = LETRA[n + 1] ?? [x1, y1];
    const [dx, dy] = [x2 - x1, y2 - y1];
    const onde = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
    longe = Math.min(longe, Math.hypot(x - x1 - onde * dx, y - y1 - onde * dy));
  }
  return Math.min(1, Math.max(0, (LARGURA / 2 - longe) / pixel + 0.5));
}

function parte(tipo: string, dados: Buffer): Buffer {
  const corpo = Buffer.concat([Buffer.from(tipo, 'latin1'), dados]);
  const tamanho = Buffer.alloc(4);
  tamanho.writeUInt32BE(dados.length);
  const soma = Buffer.alloc(4);
  soma.writeUInt32BE(crc32(corpo));
  return Buffer.concat([tamanho, corpo, soma]);
}
