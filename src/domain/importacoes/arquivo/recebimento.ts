import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import { faltaEm } from '../../erros.ts';

/** Of the beginning of a file, what is looked at to recognise it. */
const AMOSTRA_BYTES = 256 * 1024;
/** Of what is stored in one row, before it is encrypted: far below the smallest packet that a server takes. */
const PARTE_BYTES = 512 * 1024;
/** More than a million subscribers are. */
const MAIOR_ARQUIVO = 2 ** 30;
const MIB = 2 ** 20;

/** What was seen of a file while it came in. */
export interface Visto {
  readonly amostra: Buffer;
  readonly utf8: boolean;
  readonly bytes: number;
  /** Line breaks, with what stands after the last. */
  readonly linhas: number;
}

/**
 * Takes in a file of any size in bounded memory: compresses it, hands out parts of it, and sees meanwhile what it is.
 *
 * @param guardar stores a part; parts are counted from 0.
 * @throws CamposInvalidos of `arquivo` where it is larger than any import.
 */
export async function receber(
  entrada: AsyncIterable<Uint8Array | string>,
  guardar: (parte: number, conteudo: Buffer) => Promise<void>,
): Promise<Visto> {
  const amostra: Buffer[] = [];
  let naAmostra = 0;
  let bytes = 0;
  let linhas = 0;
  let ultima = 0x0a;
  let utf8 = true;
  let resto: Buffer = Buffer.alloc(0);

  const gzip = createGzip({ level: 4 });
  const guardando = guardarPartes(gzip, guardar);
  // It is awaited at the end; until then an error of it ends the reading below.
  let falha: unknown;
  guardando.catch((error: unknown) => {
    falha = error;
    gzip.destroy();
  });
  for await (const pedaco of entrada) {
    if (falha !== undefined) break;
    const parte = Buffer.from(pedaco as Uint8Array);
    if (parte.length === 0) continue;
    bytes += parte.length;
    if (bytes > MAIOR_ARQUIVO) {
      gzip.destroy();
      faltaEm('arquivo', `tem mais de ${MAIOR_ARQUIVO / MIB} MiB`);
    }
    if (naAmostra < AMOSTRA_BYTES) {
      amostra.push(parte);
      naAmostra += parte.length;
    }
    for (let n = parte.indexOf(0x0a); n !== -1; n = parte.indexOf(0x0a, n + 1)) linhas += 1;
    ultima = parte.at(-1) ?? ultima;
    if (utf8) {
      const junto = Buffer.concat([resto, parte]);
      const fim = fimDosCaracteres(junto);
      utf8 = isUtf8(junto.subarray(0, fim));
      resto = junto.subarray(fim);
    }
    if (!gzip.write(parte)) await Promise.race([once(gzip, 'drain'), guardando]);
  }
  gzip.end();
  await guardando;
  return {
    amostra: Buffer.concat(amostra).subarray(0, AMOSTRA_BYTES),
    utf8: utf8 && resto.length === 0,
    bytes,
    linhas: linhas + (ultima === 0x0a ? 0 : 1),
  };
}

async function guardarPartes(
  gzip: AsyncIterable<Buffer>,
  guardar: (parte: number, conteudo: Buffer) => Promise<void>,
): Promise<void> {
  let pedacos: Buffer[] = [];
  let juntos = 0;
  let parte = 0;
  for await (const pedaco of gzip) {
    pedacos.push(pedaco);
    juntos += pedaco.length;
    if (juntos < PARTE_BYTES) continue;
    await guardar(parte, Buffer.concat(pedacos));
    parte += 1;
    [pedacos, juntos] = [[], 0];
  }
  if (juntos > 0) await guardar(parte, Buffer.concat(pedacos));
}

/** Where the last whole UTF-8 character may end: a character of which only the beginning is there waits for its rest. */
function fimDosCaracteres(bytes: Buffer): number {
  for (let n = 1; n <= Math.min(3, bytes.length); n += 1) {
    const byte = bytes[bytes.length - n] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > n ? bytes.length - n : bytes.length;
  }
  return bytes.length;
}
