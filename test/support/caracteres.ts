import * as fc from 'fast-check';

/** Between these, in UTF-16, are the halves of pairs, which are no characters. */
const [ANTES, DEPOIS] = [0xd7ff, 0xe000];
const METADES = DEPOIS - ANTES - 1;

const enesimo = (n: number): string => String.fromCodePoint(n > ANTES ? n + METADES : n);

/** The way back, by which fast-check knows whether a text such as `__proto__` could be made. */
function qual(texto: unknown): number {
  const ponto = typeof texto === 'string' ? texto.codePointAt(0) : undefined;
  if (ponto === undefined || String.fromCodePoint(ponto) !== texto) throw new Error('não é um caractere só');
  return ponto > ANTES ? ponto - METADES : ponto;
}

/** Any character, as by fast-check's unit `binary`, which for a second first writes down all the million there are. */
export const CARACTERE = fc.nat(0x10ffff - METADES).map(enesimo, qual);
