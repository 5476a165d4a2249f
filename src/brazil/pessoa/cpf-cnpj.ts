import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';

const CPF = /^\d{11}$/;
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;

/**
 * A CPF or CNPJ as it is searched for: without `.`, `-`, `/` and spaces, in upper case. Check digits are not checked.
 * Returns 11 digits (CPF) or 14 characters `[0-9A-Z]{12}[0-9]{2}` (CNPJ, with letters since July 2026, IN RFB
 * 2.229/2024), or null for any other text.
 */
export function normalizarCpfCnpj(texto: string): string | null {
  // The library's cleaning throws any other character away, so that a text that is no document would become one.
  // Only a-z: toUpperCase of the whole text would make 'I' of 'ı' and 'SS' of 'ß', and find another document.
  const limpo = texto.replace(/[-./ ]/g, '').replace(/[a-z]/g, (letra) => letra.toUpperCase());
  return CPF.test(limpo) || CNPJ.test(limpo) ? limpo : null;
}

/**
 * Checks the check digits of a normalized CPF or CNPJ. One digit repeated is invalid, and so is a text that is not in
 * the normalized form.
 */
export function cpfCnpjValido(normalizado: string): boolean {
  // The library accepts masks, spaces and lower case, which are no longer in place here: so the form is checked before.
  if (CPF.test(normalizado)) return isValidCpf(normalizado);
  return CNPJ.test(normalizado) && isValidCnpj(normalizado, { version: 2 });
}

/**
 * The two check digits of a CPF, from its first 9. The library does not export this calculation.
 * @throws {RangeError} when `base9` is not 9 digits.
 */
export function digitosCpf(base9: string): string {
  if (!/^\d{9}$/.test(base9)) throw new RangeError('a base do CPF tem 9 dígitos');
  const primeiro = modulo11(base9, 11);
  return primeiro + modulo11(base9 + primeiro, 11);
}

/**
 * The two check digits of a CNPJ, of digits or with letters, from its first 12 characters.
 * @throws {RangeError} when `base12` is not `[0-9A-Z]{12}`.
 */
export function digitosCnpj(base12: string): string {
  if (!/^[0-9A-Z]{12}$/.test(base12)) throw new RangeError('a base do CNPJ tem 12 caracteres de 0-9 e A-Z');
  const primeiro = modulo11(base12, 9);
  return primeiro + modulo11(base12 + primeiro, 9);
}

/** Hides the document for logs: '***.982.247-**' or '**.222.333/****-**'; '***' for what is no document. */
export function mascararCpfCnpj(n: string): string {
  if (CPF.test(n)) return `***.${n.slice(3, 6)}.${n.slice(6, 9)}-**`;
  if (CNPJ.test(n)) return `**.${n.slice(2, 5)}.${n.slice(5, 8)}/****-**`;
  return '***';
}

/**
 * Modulo 11 with weights that rise from 2 to `pesoMaximo` from right to left and begin anew; a character's value is its
 * ASCII code less 48 (Receita Federal, manual of the CNPJ's check digit).
 */
function modulo11(base: string, pesoMaximo: number): string {
  const soma = Array.from(base)
    .toReversed()
    .reduce((total, c, i) => total + (c.charCodeAt(0) - 48) * (2 + (i % (pesoMaximo - 1))), 0);
  const resto = soma % 11;
  return String(resto < 2 ? 0 : 11 - resto);
}
