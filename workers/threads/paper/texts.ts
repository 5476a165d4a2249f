import { escreverCpfCnpj } from '../../../src/brazil/dinheiro/escrita.ts';

/** The characters of WinAnsi that Latin-1 does not have. */
const ONLY_WINANSI = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';

/** No box has room for more letters. */
const MOST_LETTERS = 6000;

/** Letters that Unicode does not decompose into a letter and an accent, and Greek letters, which occur in names. */
const TRANSLITERATED = new Map(
  [
    ...'łl ŁL đd ĐD ħh ĦH ŧt ŦT ıi ĸk ŋn ŊN −- ‐- ‑-'.split(' '),
    ...'αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo'.split(' '),
  ].map((pair) => [pair.charAt(0), pair.slice(1)]),
);

/**
 * The text in one line, with only the characters of the standard PDF fonts. Other letters lose their accent or are
 * transliterated; letters without an equivalent become '?'; everything else (emoji, control characters) is removed.
 */
export function toWinAnsi(text: string): string {
  const letters = Array.from(text.slice(0, MOST_LETTERS).normalize('NFC'), letterToWinAnsi);
  return letters.join('').replace(/\s+/g, ' ').trim();
}

function letterToWinAnsi(letter: string): string {
  if (/^[\s\p{Cc}]$/u.test(letter)) return ' ';
  if (/^[ -~¡-¬®-ÿ]$/.test(letter) || ONLY_WINANSI.includes(letter)) return letter;
  const pairs = Array.from(letter.normalize('NFKD'), (part) => {
    const lower = part.toLowerCase();
    const pair = TRANSLITERATED.get(part) ?? TRANSLITERATED.get(lower);
    if (pair === undefined) return /^[ -~]$/.test(part) ? part : '';
    return part === lower || TRANSLITERATED.has(part) ? pair : pair.charAt(0).toUpperCase() + pair.slice(1);
  }).join('');
  return pairs === '' && /^[\p{L}\p{N}]$/u.test(letter) ? '?' : pairs;
}

/** CPF or CNPJ, also alphanumeric, with its punctuation, after its kind: 'CPF 529.982.247-25'. */
export function formatDocument(documento: string | null): string {
  if (documento === null) return '';
  return `${documento.length === 11 ? 'CPF' : 'CNPJ'} ${escreverCpfCnpj(documento)}`;
}
