import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';

const CPF = /^\d{11}$/;
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;

/**
 * A forma de busca de um CPF ou CNPJ: sem `.`, `-`, `/` e espaços, maiúsculas. Não confere dígitos verificadores.
 * Devolve 11 dígitos (CPF) ou 14 caracteres `[0-9A-Z]{12}[0-9]{2}` (CNPJ, alfanumérico desde julho de 2026, IN RFB
 * 2.229/2024), ou null para qualquer outro texto.
 */
export function normalizarCpfCnpj(texto: string): string | null {
  // A biblioteca, ao limpar, joga fora qualquer outro caractere, e um texto que não é documento viraria um.
  // Só a-z: toUpperCase no texto inteiro faria de 'ı' um 'I' e de 'ß' um 'SS', e outro documento seria achado.
  const limpo = texto.replace(/[-./ ]/g, '').replace(/[a-z]/g, (letra) => letra.toUpperCase());
  return CPF.test(limpo) || CNPJ.test(limpo) ? limpo : null;
}

/**
 * Confere os dígitos verificadores de um CPF ou CNPJ já normalizado. Repetições de um só dígito são inválidas, e textos
 * fora da forma normalizada também.
 */
export function cpfCnpjValido(normalizado: string): boolean {
  // A biblioteca aceita máscaras, espaços e minúsculas, que aqui já não cabem: por isso a forma é conferida antes.
  if (CPF.test(normalizado)) return isValidCpf(normalizado);
  return CNPJ.test(normalizado) && isValidCnpj(normalizado, { version: 2 });
}

/**
 * Os dois dígitos verificadores de um CPF, a partir dos 9 primeiros. A biblioteca não exporta este cálculo.
 * @throws {RangeError} se `base9` não for 9 dígitos.
 */
export function digitosCpf(base9: string): string {
  if (!/^\d{9}$/.test(base9)) throw new RangeError('a base do CPF tem 9 dígitos');
  const primeiro = modulo11(base9, 11);
  return primeiro + modulo11(base9 + primeiro, 11);
}

/**
 * Os dois dígitos verificadores de um CNPJ, numérico ou alfanumérico, a partir dos 12 primeiros caracteres.
 * @throws {RangeError} se `base12` não for `[0-9A-Z]{12}`.
 */
export function digitosCnpj(base12: string): string {
  if (!/^[0-9A-Z]{12}$/.test(base12)) throw new RangeError('a base do CNPJ tem 12 caracteres de 0-9 e A-Z');
  const primeiro = modulo11(base12, 9);
  return primeiro + modulo11(base12 + primeiro, 9);
}

/** Esconde o documento para logs: '***.982.247-**' ou '**.222.333/****-**'; '***' para o que não for documento. */
export function mascararCpfCnpj(n: string): string {
  if (CPF.test(n)) return `***.${n.slice(3, 6)}.${n.slice(6, 9)}-**`;
  if (CNPJ.test(n)) return `**.${n.slice(2, 5)}.${n.slice(5, 8)}/****-**`;
  return '***';
}

/**
 * Módulo 11 com pesos que sobem de 2 até `pesoMaximo` da direita para a esquerda e recomeçam; o valor de um caractere é
 * o código ASCII menos 48 (manual do DV do CNPJ, Receita Federal).
 */
function modulo11(base: string, pesoMaximo: number): string {
  const soma = Array.from(base)
    .toReversed()
    .reduce((total, c, i) => total + (c.charCodeAt(0) - 48) * (2 + (i % (pesoMaximo - 1))), 0);
  const resto = soma % 11;
  return String(resto < 2 ? 0 : 11 - resto);
}
