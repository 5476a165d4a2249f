/** Os códigos de área em uso (Anatel, Plano Geral de Códigos Nacionais). */
export const DDDS: readonly string[] = (
  '11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 51 53 54 55 ' +
  '61 62 63 64 65 66 67 68 69 71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 92 93 94 95 96 97 98 99'
).split(' ');

/** Telefone só com dígitos, 10 a 13, depois de tirar espaços e `( ) - . / +`; null para qualquer outro texto. */
export function normalizarTelefone(texto: string): string | null {
  // A biblioteca, ao limpar, joga fora letras e o 55, e não diz que o resto não é telefone.
  const limpo = texto.replace(/[-() ./+]/g, '');
  return /^\d{10,13}$/.test(limpo) ? limpo : null;
}

/** Os oito últimos dígitos, pelos quais telefones são comparados: não dependem de 55, DDD nem do nono dígito. */
export function ultimosOito(digitos: string): string {
  return digitos.slice(-8);
}

/**
 * Diz se os dígitos são um telefone brasileiro: DDD em uso e celular (9 e mais 8 dígitos) ou fixo (8 dígitos, o
 * primeiro de 2 a 5), com ou sem o 55 do país (Resolução Anatel 749/2022, art. 12).
 */
export function telefoneValido(digitos: string): boolean {
  // A biblioteca aceita também celulares começados por 6, 7 ou 8; aqui só 9 e mais 8 dígitos.
  const partes = /^(?:55)?(\d{2})(?:9\d{8}|[2-5]\d{7})$/.exec(digitos);
  return partes?.[1] !== undefined && DDDS.includes(partes[1]);
}

/** Um telefone digitado, com DDD: só os dígitos, sem o 55 do país nem o zero de interurbano; null se não for válido. */
export function lerTelefone(texto: string): string | null {
  const digitos = normalizarTelefone(texto)?.replace(/^0/, '');
  if (digitos === undefined || !telefoneValido(digitos)) return null;
  return digitos.length > 11 ? digitos.slice(2) : digitos;
}
