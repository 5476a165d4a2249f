/** The 27 units of the federation (IBGE), in alphabetical order. */
export const UFS: readonly string[] =
  'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'.split(' ');

/**
 * A postal code (CEP) of eight digits, after spaces, `.` and `-` are taken out; null for any other text. The lowest
 * that the Correios have is 01000-000.
 */
export function normalizarCep(texto: string): string | null {
  // The library accepts 00000-000, and its cleaning throws letters and surplus digits away.
  const limpo = texto.replace(/[-. ]/g, '');
  return /^\d{8}$/.test(limpo) && limpo >= '01000000' ? limpo : null;
}
