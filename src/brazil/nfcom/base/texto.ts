// The schema's text is Latin-1 without control characters or blanks at either end (TString), and one line.

/** What has a usual way of being written in Latin-1. */
const TROCAS: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201b': "'",
  '\u2032': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u2033': '"',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2015': '-',
  '\u2212': '-',
  '\u2022': '-',
  '\u2026': '...',
  '\u2044': '/',
  '\u20ac': 'EUR',
  '\u2122': 'TM',
  '\u2116': 'No',
  '\u0131': 'i',
  '\u0141': 'L',
  '\u0142': 'l',
  '\u0110': 'D',
  '\u0111': 'd',
  '\u0152': 'OE',
  '\u0153': 'oe',
  '\u1e9e': 'SS',
};
const CABE = /^[\x20-\x7e\xa1-\xac\xae-\xff]*$/;
const ESPACOS = /\s+/g;
// Control characters, those of Windows-1252 that came in as such, soft hyphens, joiners and marks of direction.
const SEM_DESENHO = /[\p{Cc}\xad\u200b-\u200f\u202a-\u202e\u2060\ufeff]/gu;
const MARCAS = /\p{Mn}/gu;
const FORA = /[^\x20-\x7e\xa1-\xff]/u;

/**
 * A text as the schema takes it: composed, on one line, without double blanks, with typographic dashes, quotes and
 * letters of other alphabets of Latin script (ő, ł) in their plain form. Null when a character is left that has none,
 * such as an emoji or a letter of another script.
 */
export function textoDaNota(texto: string): string | null {
  // Most texts are plain, and blanks are all that may be wrong with them.
  const limpo = CABE.test(texto) ? texto : dobrar(texto);
  if (limpo === null) return null;
  return limpo.includes('  ') ? limpo.replace(ESPACOS, ' ').trim() : limpo.trim();
}

function dobrar(texto: string): string | null {
  const composto = texto.toWellFormed().normalize('NFC').replace(ESPACOS, ' ').replace(SEM_DESENHO, '');
  let dobrado = '';
  for (const letra of composto) {
    const troca = FORA.test(letra) ? (TROCAS[letra] ?? letra.normalize('NFKD').replace(MARCAS, '')) : letra;
    if (FORA.test(troca)) return null;
    dobrado += troca;
  }
  return dobrado.replace(ESPACOS, ' ');
}

/** Cut to so many characters, without a blank at the end. */
export const cortar = (texto: string, maximo: number): string =>
  texto.length <= maximo ? texto : texto.slice(0, maximo).trimEnd();
