import { vistaDe } from './linhas.ts';

const ASPAS = 0x22;
const BARRA_INVERTIDA = 0x5c;
const PRIMEIRO_SEM_ESCAPE = 0x20;

/** JSON that is written into one memory, which is used for batch after batch. */
export function criarTexto() {
  let cabem = 2 ** 20;
  let memoria = vistaDe(new Uint8Array(cabem));
  let onde = 0;

  function caber(mais: number): void {
    if (onde + mais <= cabem) return;
    cabem = Math.max(2 * cabem, onde + mais);
    const maior = new Uint8Array(cabem);
    maior.set(tudo());
    memoria = vistaDe(maior);
  }

  const tudo = (): Uint8Array => new Uint8Array(memoria.buffer, 0, onde);

  function ascii(texto: string): void {
    caber(texto.length);
    const para = memoria;
    const n = onde;
    for (let de = 0; de < texto.length; de += 1) para.setUint8(n + de, texto.charCodeAt(de));
    onde = n + texto.length;
  }

  /** Four bytes at a time and without a call: fields have few bytes, and there are millions of them. */
  function copiar(vista: DataView, inicio = 0, fim = vista.byteLength): void {
    caber(fim - inicio);
    const para = memoria;
    let n = onde;
    let de = inicio;
    for (; de + 4 <= fim; de += 4, n += 4) para.setInt32(n, vista.getInt32(de));
    for (; de < fim; de += 1, n += 1) para.setUint8(n, vista.getUint8(de));
    onde = n;
  }

  /** In quotes, what stands there in UTF-8, with the escapes that JSON asks for (RFC 8259, section 7). */
  function citar(vista: DataView, inicio: number, fim: number): void {
    caber(fim - inicio + 2);
    const para = memoria;
    let n = onde;
    let de = inicio;
    let escapa = 0;
    para.setUint8(n, ASPAS);
    n += 1;
    for (; de + 4 <= fim; de += 4, n += 4) {
      const quatro = vista.getInt32(de);
      escapa |= comAlgumABaixo(quatro, PRIMEIRO_SEM_ESCAPE) | com(quatro, ASPAS) | com(quatro, BARRA_INVERTIDA);
      para.setInt32(n, quatro);
    }
    for (; de < fim; de += 1, n += 1) {
      const byte = vista.getUint8(de);
      if (byte < PRIMEIRO_SEM_ESCAPE || byte === ASPAS || byte === BARRA_INVERTIDA) escapa = 1;
      para.setUint8(n, byte);
    }
    if (escapa === 0) {
      para.setUint8(n, ASPAS);
      onde = n + 1;
    } else {
      const texto = Buffer.from(vista.buffer, vista.byteOffset + inicio, fim - inicio).toString();
      copiar(vistaDe(Buffer.from(JSON.stringify(texto))));
    }
  }

  return {
    ascii,
    copiar,
    citar,
    tudo,
    comecar(): void {
      onde = 0;
    },
  };
}

/** Says, by a bit in each of a word's four bytes, whether one is less than `byte`, which is less than 0x80. */
const comAlgumABaixo = (quatro: number, byte: number): number => (quatro - byte * 0x01010101) & ~quatro & 0x80808080;

const com = (quatro: number, byte: number): number => comAlgumABaixo(quatro ^ (byte * 0x01010101), 1);
