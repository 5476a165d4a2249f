import { deflateSync } from 'node:zlib';

interface Png {
  readonly largura?: number;
  readonly altura?: number;
  readonly bits?: number;
  readonly cor?: number;
  readonly entrelacado?: boolean;
  /** Instead of the compressed rows. */
  readonly pixels?: Buffer;
}

/** A PNG of one colour, in RGB unless told otherwise; no reader of ours looks at the checksums of its parts. */
export function pngDe({ largura = 2, altura = 2, bits = 8, cor = 2, entrelacado = false, pixels }: Png = {}): Buffer {
  const cabecalho = Buffer.alloc(13);
  cabecalho.writeUInt32BE(largura, 0);
  cabecalho.writeUInt32BE(altura, 4);
  cabecalho.set([bits, cor, 0, 0, entrelacado ? 1 : 0], 8);
  const linhas = Buffer.alloc(altura * (1 + Math.ceil((largura * bits * (cor === 6 ? 4 : 3)) / 8)));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    parte('IHDR', cabecalho),
    parte('IDAT', pixels ?? deflateSync(linhas)),
    parte('IEND', Buffer.alloc(0)),
  ]);
}

function parte(nome: string, dados: Buffer): Buffer {
  const tamanho = Buffer.alloc(4);
  tamanho.writeUInt32BE(dados.length);
  return Buffer.concat([tamanho, Buffer.from(nome), dados, Buffer.alloc(4)]);
}

/** A JPEG's markers, with its frame's size, and no picture. */
export function jpegDe(largura: number, altura: number): Buffer {
  const quadro = Buffer.from('ffc0000b080000000001011100', 'hex');
  quadro.writeUInt16BE(altura, 5);
  quadro.writeUInt16BE(largura, 7);
  return Buffer.concat([
    Buffer.from('ffd8ffe000040000', 'hex'),
    quadro,
    Buffer.from('ffda0008010100003f0000ffd9', 'hex'),
  ]);
}
