import { hash } from 'node:crypto';

const COMECO = 1024;
/** Of the places, how many may be taken before there are more of them. */
const CHEIO = 0.6;

/**
 * On which line a file said something first: 16 bytes each, where a Map of texts would need a hundred and more, for a file may have a
 * million lines. Two texts of 64 equal bits would be taken for one; of a million texts that is once in forty million files.
 */
export function criarMarcas() {
  let altas = new Uint32Array(COMECO);
  let baixas = new Uint32Array(COMECO);
  let linhas = new Uint32Array(COMECO);
  let quantas = 0;

  function lugarDe(alta: number, baixa: number): number {
    const mascara = linhas.length - 1;
    for (let n = baixa & mascara; ; n = (n + 1) & mascara) {
      if (linhas[n] === 0 || (altas[n] === alta && baixas[n] === baixa)) return n;
    }
  }

  function crescer(): void {
    const [a, b, l] = [altas, baixas, linhas];
    altas = new Uint32Array(a.length * 2);
    baixas = new Uint32Array(a.length * 2);
    linhas = new Uint32Array(a.length * 2);
    for (let n = 0; n < l.length; n += 1) {
      if (l[n] === 0) continue;
      const lugar = lugarDe(a[n] ?? 0, b[n] ?? 0);
      altas[lugar] = a[n] ?? 0;
      baixas[lugar] = b[n] ?? 0;
      linhas[lugar] = l[n] ?? 0;
    }
  }

  return {
    /** The line (from 1) that said it first; where none did, it is this one now, and null. */
    marcar(oque: string, linha: number): number | null {
      const resumo = hash('sha1', oque, 'buffer');
      const [alta, baixa] = [resumo.readUInt32LE(0), resumo.readUInt32LE(4)];
      const lugar = lugarDe(alta, baixa);
      if (linhas[lugar] !== 0) return linhas[lugar] ?? null;
      altas[lugar] = alta;
      baixas[lugar] = baixa;
      linhas[lugar] = linha;
      quantas += 1;
      if (quantas > linhas.length * CHEIO) crescer();
      return null;
    },
  };
}

export type Marcas = ReturnType<typeof criarMarcas>;
