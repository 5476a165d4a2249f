// Escrito à mão: cada fatura em aberto é conferida a cada leitura, e assim são alguns microssegundos.

/** Dígito do módulo 10: pesos 2 e 1 da direita para a esquerda, somando os algarismos de cada produto. */
export function modulo10(digitos: string): string {
  let soma = 0;
  for (let i = digitos.length - 1, dobra = true; i >= 0; i -= 1, dobra = !dobra) {
    const produto = algarismo(digitos, i) * (dobra ? 2 : 1);
    soma += produto > 9 ? produto - 9 : produto;
  }
  return String((10 - (soma % 10)) % 10);
}

/** Pesos 2 a 9 da direita para a esquerda; 11 menos o resto, de 1 a 11. O que vale por 10 e por 11 cada uso diz. */
export function modulo11(digitos: string): number {
  let soma = 0;
  for (let i = digitos.length - 1, peso = 2; i >= 0; i -= 1, peso = peso === 9 ? 2 : peso + 1) {
    soma += algarismo(digitos, i) * peso;
  }
  return 11 - (soma % 11);
}

const ZERO = 48;
const algarismo = (digitos: string, i: number): number => digitos.charCodeAt(i) - ZERO;
