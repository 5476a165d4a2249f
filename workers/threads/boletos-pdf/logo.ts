import { inflateSync } from 'node:zlib';
import type { Beneficiario } from './contract.ts';

type Logo = NonNullable<Beneficiario['logo']>;

const ASSINATURA_PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CANAIS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const MAXIMO_DE_PIXELS = 4_000_000;

/**
 * A logo that can be drawn, as a `data:` URL (which pdfkit knows again, and includes once), or null. Checked before,
 * because pdfkit includes images without reading them, and where it has to split off the transparency of a PNG it does
 * so in a callback whose error ends the thread.
 */
export function logoLegivel(logo: Logo | null): string | null {
  if (logo === null) return null;
  const bytes = Buffer.from(logo.bytes);
  try {
    const inteiro = logo.tipo === 'image/png' ? pngInteiro(bytes) : jpegInteiro(bytes);
    return inteiro ? `data:${logo.tipo};base64,${bytes.toString('base64')}` : null;
  } catch {
    // A size that points out of the file, or compressed data that do not open.
    return null;
  }
}

function pngInteiro(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 8).equals(ASSINATURA_PNG)) return false;
  const blocos = new Map<string, Buffer[]>();
  for (let i = 8; !blocos.has('IEND');) {
    const tamanho = bytes.readUInt32BE(i);
    const tipo = bytes.toString('latin1', i + 4, i + 8);
    if (i + 12 + tamanho > bytes.length) return false;
    blocos.set(tipo, [...(blocos.get(tipo) ?? []), bytes.subarray(i + 8, i + 8 + tamanho)]);
    i += 12 + tamanho;
  }
  const [cabecalho] = blocos.get('IHDR') ?? [];
  if (cabecalho === undefined) return false;
  const [largura, altura] = [cabecalho.readUInt32BE(0), cabecalho.readUInt32BE(4)];
  const [bits, cor, entrelacado] = [cabecalho.readUInt8(8), cabecalho.readUInt8(9), cabecalho.readUInt8(12)];
  const canais = CANAIS[cor];
  if (canais === undefined || largura * altura === 0 || largura * altura > MAXIMO_DE_PIXELS) return false;
  // pdfkit draws interlaced ones wrong, and the transparency of palettes with less than a byte a pixel.
  if (entrelacado !== 0 || (cor === 3 && (!blocos.has('PLTE') || (bits < 8 && blocos.has('tRNS'))))) return false;
  const linha = 1 + Math.ceil((largura * canais * bits) / 8);
  const pixels = inflateSync(Buffer.concat(blocos.get('IDAT') ?? []), { maxOutputLength: linha * altura });
  if (pixels.length !== linha * altura) return false;
  return Array.from({ length: altura }, (_, n) => pixels[n * linha] ?? 5).every((filtro) => filtro <= 4);
}

function jpegInteiro(bytes: Buffer): boolean {
  if (bytes.readUInt16BE(0) !== 0xffd8 || bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < 0) return false;
  for (let i = 2; ; i += 2 + bytes.readUInt16BE(i + 2)) {
    const marca = bytes.readUInt16BE(i);
    if (marca < 0xffc0 || marca === 0xffda) return false;
    // Frames (SOF) say the size; C4, C8 and CC are no frames.
    if (marca > 0xffcf || [0xffc4, 0xffc8, 0xffcc].includes(marca)) continue;
    const pixels = bytes.readUInt16BE(i + 5) * bytes.readUInt16BE(i + 7);
    return pixels > 0 && pixels <= MAXIMO_DE_PIXELS * 4 && [1, 3, 4].includes(bytes.readUInt8(i + 9));
  }
}
