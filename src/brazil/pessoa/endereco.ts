/** As 27 unidades da federação (IBGE), em ordem alfabética. */
export const UFS: readonly string[] =
  'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'.split(' ');

/**
 * Um CEP com oito dígitos, depois de tirar espaços, `.` e `-`; null para qualquer outro texto. O menor dos Correios é
 * 01000-000.
 */
export function normalizarCep(texto: string): string | null {
  // A biblioteca aceita 00000-000, e ao limpar joga fora letras e dígitos a mais.
  const limpo = texto.replace(/[-. ]/g, '');
  return /^\d{8}$/.test(limpo) && limpo >= '01000000' ? limpo : null;
}
