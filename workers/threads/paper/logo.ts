import { inflateSync } from 'node:zlib';

export interface Logo {
  readonly tipo: 'image/png' | 'image/jpeg';
  readonly bytes: Uint8Array;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const MOST_PIXELS = 4_000_000;

/**
 * Returns a logo as a `data:` URL, or null when it cannot be drawn. pdfkit recognizes a repeated URL and includes the
 * image once. The logo is checked before, because pdfkit includes images without reading them; when it has to separate
 * the transparency of a PNG, it does so in a callback, where an error ends the thread.
 */
export function readableLogo(logo: Logo | null): string | null {
  if (logo === null) return null;
  const bytes = Buffer.from(logo.bytes);
  try {
    const isWhole = logo.tipo === 'image/png' ? isWholePng(bytes) : isWholeJpeg(bytes);
    return isWhole ? `data:${logo.tipo};base64,${bytes.toString('base64')}` : null;
  } catch {
    // A size that points outside the file, or compressed data that are broken.
    return null;
  }
}

function isWholePng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return false;
  const chunks = new Map<string, Buffer[]>();
  for (let i = 8; !chunks.has('IEND');) {
    const size = bytes.readUInt32BE(i);
    const type = bytes.toString('latin1', i + 4, i + 8);
    if (i + 12 + size > bytes.length) return false;
    chunks.set(type, [...(chunks.get(type) ?? []), bytes.subarray(i + 8, i + 8 + size)]);
    i += 12 + size;
  }
  const [header] = chunks.get('IHDR') ?? [];
  if (header === undefined) return false;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [bits, color, interlaced] = [header.readUInt8(8), header.readUInt8(9), header.readUInt8(12)];
  const channels = CHANNELS[color];
  if (channels === undefined || width * height === 0 || width * height > MOST_PIXELS) return false;
  // pdfkit draws interlaced images wrongly, and the transparency of palettes with less than a byte for each pixel.
  if (interlaced !== 0 || (color === 3 && (!chunks.has('PLTE') || (bits < 8 && chunks.has('tRNS'))))) return false;
  const lineBytes = 1 + Math.ceil((width * channels * bits) / 8);
  const pixels = inflateSync(Buffer.concat(chunks.get('IDAT') ?? []), { maxOutputLength: lineBytes * height });
  if (pixels.length !== lineBytes * height) return false;
  return Array.from({ length: height }, (_, n) => pixels[n * lineBytes] ?? 5).every((filter) => filter <= 4);
}

function isWholeJpeg(bytes: Buffer): boolean {
  if (bytes.readUInt16BE(0) !== 0xffd8 || bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < 0) return false;
  for (let i = 2; ; i += 2 + bytes.readUInt16BE(i + 2)) {
    const marker = bytes.readUInt16BE(i);
    if (marker < 0xffc0 || marker === 0xffda) return false;
    // Frames (SOF) have the size; C4, C8 and CC are not frames.
    if (marker > 0xffcf || [0xffc4, 0xffc8, 0xffcc].includes(marker)) continue;
    const pixels = bytes.readUInt16BE(i + 5) * bytes.readUInt16BE(i + 7);
    return pixels > 0 && pixels <= MOST_PIXELS * 4 && [1, 3, 4].includes(bytes.readUInt8(i + 9));
  }
}
