// Written by hand: each open invoice is checked at each read, and so it takes some microseconds.

/** Check digit of modulo 10: weights 2 and 1 from right to left, with the digits of each product added up. */
export function modulo10(digitos: string): string {
  let soma = 0;
  for (let i = digitos.length - 1, dobra = true; i >= 0; i -= 1, dobra = !dobra) {
    const produto = algarismo(digitos, i) * (dobra ? 2 : 1);
    soma += produto > 9 ? produto - 9 : produto;
  }
  return String((10 - (soma % 10)) % 10);
}

/**
 * Weights 2 to 9 from right to left. The result is 11 less the rest, 1 to 11; what 10 and 11 become depends on the use.
 */
export function modulo11(digitos: string): number {
  let soma = 0;
  for (let i = digitos.length - 1, peso = 2; i >= 0; i -= 1, peso = peso === 9 ? 2 : peso + 1) {
    soma += algarismo(digitos, i) * peso;
  }
  return 11 - (soma % 11);
}

/** Check digit of modulo 11, where 10 and 11 become 0. */
export function digito11(digitos: string): string {
  const resultado = modulo11(digitos);
  return String(resultado > 9 ? 0 : resultado);
}

const ZERO = 48;
const algarismo = (digitos: string, i: number): number => digitos.charCodeAt(i) - ZERO;
