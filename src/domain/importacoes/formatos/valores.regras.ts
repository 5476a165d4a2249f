import { cpfCnpjValido, normalizarCpfCnpj } from '../../../brazil/pessoa/cpf-cnpj.ts';
import { limparDigitado } from '../../../brazil/pessoa/digitado.ts';
import { DDDS } from '../../../brazil/pessoa/telefone.ts';

// How other systems write what the forms read. What none of these knows goes to the form as it is, whose words say what is wrong.

/** A date as `AAAA-MM-DD`; undefined where systems without one write zeros. The time of day is dropped. */
export function emData(texto: string): string | undefined {
  const [dia = ''] = texto.split(/[ T]/);
  if (/^[0\-/]+$/.test(dia)) return undefined;
  const brasileira = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(dia);
  if (brasileira === null) return dia;
  const [, d = '', m = '', a = ''] = brasileira;
  return `${a}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
}

/**
 * Reais as a decimal text: `R$ 1.234,50` is 1234.50, and from two zeros past the centavos on they are dropped. One place past them is left
 * to the form, which refuses it: `1.500` may be a thousand and a half, or one and a half.
 */
export function emDinheiro(texto: string): string {
  const limpo = texto.replaceAll(/R\$|\s/g, '');
  const decimal = /,[^.]*$/.test(limpo) ? limpo.replaceAll('.', '').replace(',', '.') : limpo;
  return decimal.replace(/^(\d+)\.(\d{2})0{2,}$/, '$1.$2').replace(/^(\d+)\.$/, '$1');
}

/** Several phones of one cell; those of zeros alone are none. */
export function emTelefones(texto: string): string[] {
  return texto
    .split(/[;,|]|\s\/\s|\/(?=\s*\(?\d{2}\)?\s*\d{4})/)
    .map((um) => limparDigitado(um))
    .filter((um) => !/^[0\s().+-]*$/.test(um))
    .map(comNonoDigito);
}

/** Mobiles from before the ninth digit, which all have had since 2016 (Anatel, Resolução 553/2010). */
function comNonoDigito(texto: string): string {
  const digitos = texto.replaceAll(/\D/g, '').replace(/^0/, '');
  const antigo = /^(?:55)?(\d{2})([6-9]\d{7})$/.exec(digitos);
  const [, ddd = '', numero = ''] = antigo ?? [];
  return DDDS.includes(ddd) ? `${ddd}9${numero}` : texto;
}

/** A tax id whose leading zeros a spreadsheet has eaten; another text as it is. */
export function emDocumento(texto: string): string {
  const digitos = texto.replaceAll(/[-./ ]/g, '');
  if (!/^\d{8,13}$/.test(digitos) || normalizarCpfCnpj(digitos) !== null) return texto;
  return (
    [11, 14].map((n) => digitos.padStart(n, '0')).find((um) => um.length >= digitos.length && cpfCnpjValido(um)) ??
    texto
  );
}

/** A speed in Mbps: `500`, `500M`, `500 Mbps`, `1G`, `512000k`; another text as it is. */
export function emMbps(texto: string): string {
  const partes = /^(\d+)\s*(k|m|g)?(?:ega|iga|b|bps|bit)*s?$/i.exec(texto);
  const [, numero = '', unidade = 'm'] = partes ?? [];
  if (partes === null) return texto;
  const mbps = { k: Number(numero) / 1000, m: Number(numero), g: Number(numero) * 1000 }[unidade.toLowerCase()];
  return String(Math.max(1, Math.round(mbps ?? 0)));
}

/** The speed that a plan's name says, in Mbps; null where it says none. */
export function velocidadeNoNome(nome: string): number | null {
  const achado = /(\d+)\s*(m(?:b(?:ps)?|ega)?s?|g(?:b(?:ps)?|iga)?s?)(?![\p{L}\d])/iu.exec(nome);
  const [, numero = '', unidade = ''] = achado ?? [];
  if (achado === null || Number(numero) === 0) return null;
  const mbps = Number(numero) * (unidade.toLowerCase().startsWith('g') ? 1000 : 1);
  return mbps > 1_000_000 ? null : mbps;
}

/** Words as they are compared: in lower case, without accents. */
export function emPalavra(texto: string): string {
  return texto.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}

/** What systems write where there is nothing. */
export function ehVazio(texto: string): boolean {
  return texto === '' || /^(?:null|\\N|0000-00-00(?: 00:00:00)?|00\/00\/0000)$/.test(texto);
}
