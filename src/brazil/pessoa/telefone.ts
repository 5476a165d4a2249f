/** The area codes in use (Anatel, Plano Geral de Códigos Nacionais). */
export const DDDS: readonly string[] = (
  '11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 51 53 54 55 ' +
  '61 62 63 64 65 66 67 68 69 71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 92 93 94 95 96 97 98 99'
).split(' ');

/** A phone number of digits alone, 10 to 13, after spaces and `( ) - . / +` are taken out; null for any other text. */
export function normalizarTelefone(texto: string): string | null {
  // The library's cleaning throws letters and the 55 away, and does not say that the rest is no phone number.
  const limpo = texto.replace(/[-() ./+]/g, '');
  return /^\d{10,13}$/.test(limpo) ? limpo : null;
}

/**
 * The last eight digits, by which phone numbers are compared: the 55, the area code and the ninth digit do not matter.
 */
export function ultimosOito(digitos: string): string {
  return digitos.slice(-8);
}

/**
 * How a phone of digits alone, with area code, may have been written down: with or without the country's 55, and a mobile with or without its
 * ninth digit. Without an area code there is nothing to compare.
 */
export function formasDoTelefone(digitos: string): string[] {
  const [, ddd, numero] = /^0?(?:55(?=\d{10,11}$))?(\d{2})(\d{8,9})$/.exec(digitos) ?? [];
  if (ddd === undefined || numero === undefined) return [digitos];
  const oito = ultimosOito(numero);
  // Of eight digits, those that begin with 6 to 9 are mobiles of before the ninth digit (Anatel Resolution 553/2010).
  const eMovel = numero.length === 9 ? numero.startsWith('9') : /^[6-9]/.test(numero);
  const locais = new Set(eMovel ? [`${ddd}${oito}`, `${ddd}9${oito}`] : [`${ddd}${numero}`]);
  return [...locais].flatMap((local) => [local, `55${local}`]);
}

/**
 * Whether the digits are a Brazilian phone number: an area code in use and a mobile (9 and 8 more digits) or a landline
 * (8 digits, the first 2 to 5), with or without the country's 55 (Anatel Resolution 749/2022, art. 12).
 */
export function telefoneValido(digitos: string): boolean {
  // The library also accepts mobiles that begin with 6, 7 or 8; here it is 9 and 8 more digits only.
  const partes = /^(?:55)?(\d{2})(?:9\d{8}|[2-5]\d{7})$/.exec(digitos);
  return partes?.[1] !== undefined && DDDS.includes(partes[1]);
}

/**
 * A phone number as somebody typed it, with area code: its digits alone, without the country's 55 or the zero of long
 * distance; null when it is not valid.
 */
export function lerTelefone(texto: string): string | null {
  const digitos = normalizarTelefone(texto)?.replace(/^0/, '');
  if (digitos === undefined || !telefoneValido(digitos)) return null;
  return digitos.length > 11 ? digitos.slice(2) : digitos;
}
