import type { Data } from '../../../src/brazil/datas.ts';
import { escreverDinheiro, type Centavos } from '../../../src/brazil/dinheiro.ts';

/** O que o WinAnsi tem além do Latin-1. */
const SO_WINANSI = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';

/** Nenhuma caixa tem lugar para mais. */
const MAXIMO_DE_LETRAS = 6000;

/** Letras que o Unicode não decompõe em letra e acento, e as gregas, que são de nomes. */
const TRANSLITERADAS = new Map(
  [
    ...'łl ŁL đd ĐD ħh ĦH ŧt ŦT ıi ĸk ŋn ŊN −- ‐- ‑-'.split(' '),
    ...'αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo'.split(' '),
  ].map((par) => [par.charAt(0), par.slice(1)]),
);

/**
 * O texto em uma linha, só com o que as fontes padrão do PDF escrevem: outras letras perdem o acento ou são
 * transliteradas, as que não têm par viram '?', e o resto (emoji, controles) sai.
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

/** '2026-11-21' como '21/11/2026'. */
export function escreverData(data: Data): string {
  return data.split('-').toReversed().join('/');
}

/** '1.234,56', sem o símbolo. */
export function escreverReais(valor: Centavos): string {
  return escreverDinheiro(valor)
    .replace('.', ',')
    .replace(/\B(?=(?:\d{3})+,)/g, '.');
}

/** CPF ou CNPJ, também alfanumérico, com os seus sinais, precedido do que é: 'CPF 529.982.247-25'. */
export function escreverDocumento(documento: string | null): string {
  if (documento === null) return '';
  const [cpf, cnpj] = [
    /^(.{3})(.{3})(.{3})(.{2})$/.exec(documento),
    /^(.{2})(.{3})(.{3})(.{4})(.{2})$/.exec(documento),
  ];
  if (cpf !== null) return `CPF ${cpf.slice(1, 4).join('.')}-${cpf[4]}`;
  return cnpj === null ? documento : `CNPJ ${cnpj.slice(1, 4).join('.')}/${cnpj[4]}-${cnpj[5]}`;
}

/** Os 47 dígitos nos seus grupos: '23792.94909 60000.000004 03000.658009 5 14940000009990'. */
export function escreverLinhaDigitavel(linha: string): string {
  return linha.replace(/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8');
}
