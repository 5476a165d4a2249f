import { escreverCpfCnpj } from '../../../src/brazil/dinheiro/escrita.ts';

/** What WinAnsi has besides Latin-1. */
const SO_WINANSI = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';

/** No box has room for more. */
const MAXIMO_DE_LETRAS = 6000;

/** Letters that Unicode does not decompose into letter and accent, and the Greek ones, which stand in names. */
const TRANSLITERADAS = new Map(
  [
    ...'łl ŁL đd ĐD ħh ĦH ŧt ŦT ıi ĸk ŋn ŊN −- ‐- ‑-'.split(' '),
    ...'αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo'.split(' '),
  ].map((par) => [par.charAt(0), par.slice(1)]),
);

/**
 * The text in one line, of what PDF's standard fonts can write: other letters lose their accent or are transliterated,
 * those without a counterpart become '?', and the rest (emoji, control characters) goes.
 */
export function emWinAnsi(texto: string): string {
  const letras = Array.from(texto.slice(0, MAXIMO_DE_LETRAS).normalize('NFC'), letraEmWinAnsi);
  return letras.join('').replace(/\s+/g, ' ').trim();
}

function letraEmWinAnsi(letra: string): string {
  if (/^[\s\p{Cc}]$/u.test(letra)) return ' ';
  if (/^[ -~¡-¬®-ÿ]$/.test(letra) || SO_WINANSI.includes(letra)) return letra;
  const pares = Array.from(letra.normalize('NFKD'), (parte) => {
    const minuscula = parte.toLowerCase();
    const par = TRANSLITERADAS.get(parte) ?? TRANSLITERADAS.get(minuscula);
    if (par === undefined) return /^[ -~]$/.test(parte) ? parte : '';
    return parte === minuscula || TRANSLITERADAS.has(parte) ? par : par.charAt(0).toUpperCase() + par.slice(1);
  }).join('');
  return pares === '' && /^[\p{L}\p{N}]$/u.test(letra) ? '?' : pares;
}

/** CPF or CNPJ, also with letters, with its punctuation, after what it is: 'CPF 529.982.247-25'. */
export function escreverDocumento(documento: string | null): string {
  if (documento === null) return '';
  return `${documento.length === 11 ? 'CPF' : 'CNPJ'} ${escreverCpfCnpj(documento)}`;
}
