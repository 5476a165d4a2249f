import { diasEntre, somarDias, type Data } from '../calendario/datas.ts';
import { centavos, type Centavos } from '../dinheiro/dinheiro.ts';
import { digito11, modulo10, modulo11 } from './modulos.ts';

// Written by hand: the library checks lines, but does not turn them into a bar code, nor make one of a given free
// field.

const DATA_BASE = '1997-10-07' as Data;
const CICLO = 9000;

/** The largest amount of a boleto, in centavos: its bar code has ten digits for it. */
export const BOLETO_MAXIMO = 9_999_999_999;

/**
 * FEBRABAN's due date factor: days since 1997-10-07 up to 9999 (2025-02-21), and from then on 1000 to 9999 in cycles of
 * 9000 days (the first is 2025-02-22 to 2049-10-13).
 * @throws {RangeError} up to 1997-10-07: factor 0 means "no due date".
 */
export function fatorVencimento(d: Data): number {
  const dias = diasEntre(DATA_BASE, d);
  if (dias < 1) throw new RangeError('não há fator de vencimento até 1997-10-07');
  return dias <= 9999 ? dias : 1000 + ((dias - 1000) % CICLO);
}

/**
 * The bar code of a boleto that collects a payment (cobrança), 44 digits: bank 3, currency 9, check digit, factor 4,
 * amount 10, free field 25 (BCB, Carta-Circular 2.926/2000).
 * @throws {RangeError} when the bank is not 3 digits (the first not 8, which is arrecadação: utilities and taxes), the
 * free field is not 25, or the amount is not between 0.00 and 99999999.99.
 */
export function gerarCodigoBarras(entrada: {
  banco: string;
  vencimento: Data;
  valor: Centavos;
  campoLivre: string;
}): string {
  const { banco, vencimento, valor, campoLivre } = entrada;
  if (!/^(?!8)\d{3}$/.test(banco)) throw new RangeError('banco tem 3 dígitos e não começa por 8');
  if (!/^\d{25}$/.test(campoLivre)) throw new RangeError('campo livre tem 25 dígitos');
  if (!Number.isSafeInteger(valor) || valor < 0 || valor > BOLETO_MAXIMO) {
    throw new RangeError(`valor fora do que o boleto leva: ${valor} centavos`);
  }
  const fator = String(fatorVencimento(vencimento)).padStart(4, '0');
  const resto = fator + String(valor).padStart(10, '0') + campoLivre;
  return `${banco}9${digitoCobranca(`${banco}9${resto}`)}${resto}`;
}

/**
 * The line that people type (linha digitável) of a bar code: 47 digits of a cobrança, 48 of an arrecadação (which
 * begins with 8).
 * @throws {RangeError} when the code is not 44 digits or its general check digit is wrong.
 */
export function linhaDigitavel(codigo: string): string {
  if (!codigoValido(codigo)) throw new RangeError('código de barras inválido');
  if (codigo.startsWith('8')) {
    const digito = digitoArrecadacao(codigo);
    return blocos(codigo, 11)
      .map((bloco) => bloco + digito(bloco))
      .join('');
  }
  const campos = [codigo.slice(0, 4) + codigo.slice(19, 24), codigo.slice(24, 34), codigo.slice(34, 44)];
  const comDigitos = campos.map((campo) => campo + modulo10(campo)).join('');
  return comDigitos + codigo.charAt(4) + codigo.slice(5, 19);
}

/**
 * The bar code, 44 digits, of a typed line of 47 or 48; dots, hyphens and spaces are ignored. Null when the line has
 * another form, or when any check digit, of a field or of the whole, is wrong.
 */
export function codigoBarras(linha: string): string | null {
  const digitos = linha.replace(/[-. ]/g, '');
  let codigo: string;
  if (/^8\d{47}$/.test(digitos)) {
    codigo = blocos(digitos, 12)
      .map((bloco) => bloco.slice(0, 11))
      .join('');
  } else if (/^\d{47}$/.test(digitos)) {
    codigo =
      digitos.slice(0, 4) + digitos.slice(32) + digitos.slice(4, 9) + digitos.slice(10, 20) + digitos.slice(21, 31);
  } else {
    return null;
  }
  // Writing the line anew checks all digits at once, by the same sums that write them.
  return codigoValido(codigo) && linhaDigitavel(codigo) === digitos ? codigo : null;
}

/**
 * Reads a boleto of a cobrança, from its line or its bar code. The factor repeats every 9000 days: of the possible due
 * dates the one nearest to `referencia` counts. `vencimento` is null for factor 0 (no due date). Null when a check
 * digit is wrong, and for an arrecadação, which has no bank.
 */
export function lerBoleto(
  codigo: string,
  referencia: Data,
): { banco: string; vencimento: Data | null; valor: Centavos } | null {
  const barras = codigoValido(codigo) ? codigo : codigoBarras(codigo);
  if (barras === null || barras.startsWith('8')) return null;
  return {
    banco: barras.slice(0, 3),
    vencimento: vencimentoDe(Number(barras.slice(5, 9)), referencia),
    valor: centavos(Number(barras.slice(9, 19))),
  };
}

/**
 * What in a boleto, by its bar code, contradicts the invoice that it should be of. Zeros say nothing of the amount, and
 * factor 0000 nothing of the due date; an arrecadação says the amount only, and only where its third digit is 6 or 8
 * (an amount in reais) and not 7 or 9 (FEBRABAN, layout of arrecadação, identifier of the amount).
 */
export function contradicaoDoBoleto(
  barras: string,
  { valor, vencimento }: { readonly valor: Centavos; readonly vencimento: Data },
): 'valor' | 'vencimento' | null {
  const outroValor = (dito: string): boolean => Number(dito) !== 0 && Number(dito) !== valor;
  if (barras.startsWith('8')) return /^8\d[68]/.test(barras) && outroValor(barras.slice(4, 15)) ? 'valor' : null;
  if (outroValor(barras.slice(9, 19))) return 'valor';
  const fator = Number(barras.slice(5, 9));
  if (fator === 0 || (diasEntre(DATA_BASE, vencimento) >= 1 && fatorVencimento(vencimento) === fator)) return null;
  return 'vencimento';
}

function vencimentoDe(fator: number, referencia: Data): Data | null {
  if (fator === 0) return null;
  // Factors below 1000 were in use before 2000-07-03 only.
  const ciclos = fator < 1000 ? 0 : Math.round((diasEntre(DATA_BASE, referencia) - fator) / CICLO);
  return somarDias(DATA_BASE, fator + Math.max(0, ciclos) * CICLO);
}

function codigoValido(codigo: string): boolean {
  if (!/^\d{44}$/.test(codigo)) return false;
  if (codigo.startsWith('8')) {
    return /^8\d[6-9]/.test(codigo) && digitoArrecadacao(codigo)(semDigito(codigo, 3)) === codigo.charAt(3);
  }
  return codigo.charAt(3) === '9' && digitoCobranca(semDigito(codigo, 4)) === codigo.charAt(4);
}

function semDigito(codigo: string, posicao: number): string {
  return codigo.slice(0, posicao) + codigo.slice(posicao + 1);
}

function blocos(texto: string, tamanho: number): string[] {
  return [0, 1, 2, 3].map((i) => texto.slice(i * tamanho, (i + 1) * tamanho));
}

/** Of a cobrança: the results 0, 10 and 11 become 1 (BCB, Carta-Circular 2.926/2000). */
function digitoCobranca(digitos: string): string {
  const resultado = modulo11(digitos);
  return String(resultado > 9 ? 1 : resultado);
}

/**
 * Of an arrecadação the third digit chooses the modulo, 10 for 6 and 7, 11 for 8 and 9, and the results 10 and 11
 * become 0.
 */
function digitoArrecadacao(codigo: string): (digitos: string) => string {
  return codigo.charAt(2) < '8' ? modulo10 : digito11;
}
