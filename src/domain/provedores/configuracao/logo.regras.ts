import { inflateSync } from 'node:zlib';
import { EntradaInvalida } from '../../erros.ts';
import type { Logo } from '../identidade.types.ts';

/** A logo stands in every page and on every slip. */
export const LOGO_MAXIMO_DE_BYTES = 32 * 1024;
const LADO_MAXIMO = 1024;

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const JPEG = Buffer.from('ffd8ff', 'hex');

/** PNG's colour types (ISO/IEC 15948, 11.2.2): samples a pixel, and the bit depths each may have. */
const CORES_DE_PNG: Readonly<Record<number, readonly [amostras: number, bits: readonly number[]]>> = {
  0: [1, [1, 2, 4, 8, 16]],
  2: [3, [8, 16]],
  3: [1, [1, 2, 4, 8]],
  4: [2, [8, 16]],
  6: [4, [8, 16]],
};

/**
 * The logo in a file, known by its signature. A broken one is refused, since it would be missing from each slip, and so is an
 * interlaced PNG, which what draws slips may not read.
 *
 * @throws EntradaInvalida saying what is wrong with it.
 */
export function lerLogo(bytes: Buffer): Logo {
  const tipo = tipoDe(bytes);
  if (tipo === null) throw new EntradaInvalida('logo: um arquivo PNG ou JPEG');
  if (bytes.length > LOGO_MAXIMO_DE_BYTES)
    throw new EntradaInvalida(`logo: no máximo ${LOGO_MAXIMO_DE_BYTES / 1024} KiB`);
  const falta = tipo === 'image/png' ? faltaDoPng(bytes) : faltaDoJpeg(bytes);
  if (falta !== null) throw new EntradaInvalida(`logo: ${falta}`);
  return { tipo, bytes };
}

function tipoDe(bytes: Buffer): Logo['tipo'] | null {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  return bytes.subarray(0, JPEG.length).equals(JPEG) ? 'image/jpeg' : null;
}

const QUEBRADO = 'o arquivo está incompleto ou estragado';
const lados = (largura: number, altura: number): string | null =>
  Math.max(largura, altura) > LADO_MAXIMO ? `no máximo ${LADO_MAXIMO} × ${LADO_MAXIMO} pixels` : null;

function faltaDoPng(bytes: Buffer): string | null {
  const partes = partesDoPng(bytes);
  const [primeira] = partes ?? [];
  if (partes === null || primeira?.nome !== 'IHDR' || primeira.dados.length !== 13) return QUEBRADO;
  const [largura, altura] = [primeira.dados.readUInt32BE(0), primeira.dados.readUInt32BE(4)];
  const [bits = 0, cor = 0, , , entrelacado] = primeira.dados.subarray(8);
  const [amostras, profundidades] = CORES_DE_PNG[cor] ?? [0, []];
  if (largura === 0 || altura === 0 || !profundidades.includes(bits)) return QUEBRADO;
  if (cor === 3 && !partes.some(({ nome }) => nome === 'PLTE')) return QUEBRADO;
  if (entrelacado !== 0) return 'um PNG sem entrelaçamento';
  const grande = lados(largura, altura);
  if (grande !== null) return grande;
  const pixels = altura * (1 + Math.ceil((largura * amostras * bits) / 8));
  const comprimidos = Buffer.concat(partes.filter(({ nome }) => nome === 'IDAT').map(({ dados }) => dados));
  try {
    return inflateSync(comprimidos, { maxOutputLength: pixels }).length === pixels ? null : QUEBRADO;
  } catch {
    return QUEBRADO;
  }
}

/** A PNG's chunks up to its end; null where one is cut. */
function partesDoPng(bytes: Buffer): { nome: string; dados: Buffer }[] | null {
  const partes: { nome: string; dados: Buffer }[] = [];
  let i = PNG.length;
  while (i + 12 <= bytes.length) {
    const fim = i + 8 + bytes.readUInt32BE(i);
    if (fim + 4 > bytes.length) return null;
    const nome = bytes.toString('latin1', i + 4, i + 8);
    if (nome === 'IEND') return partes;
    partes.push({ nome, dados: bytes.subarray(i + 8, fim) });
    i = fim + 4;
  }
  return null;
}

/** Reads segments up to the frame's (ITU-T T.81, B.2.2): what follows is compressed, and a viewer shows what there is of it. */
function faltaDoJpeg(bytes: Buffer): string | null {
  let i = 2;
  while (i + 4 <= bytes.length) {
    const marca = bytes.readUInt16BE(i);
    // Any number of these may stand before a marker.
    if (marca === 0xffff) {
      i += 1;
      continue;
    }
    if (marca < 0xffc0 || marca === 0xffda) return QUEBRADO;
    if (marca <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marca)) {
      if (i + 9 > bytes.length || !bytes.includes(Buffer.from('ffda', 'hex'), i)) return QUEBRADO;
      const [altura, largura] = [bytes.readUInt16BE(i + 5), bytes.readUInt16BE(i + 7)];
      return largura === 0 || altura === 0 ? QUEBRADO : lados(largura, altura);
    }
    i += 2 + bytes.readUInt16BE(i + 2);
  }
  return QUEBRADO;
}
