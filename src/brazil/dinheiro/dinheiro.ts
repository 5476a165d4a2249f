// Written by hand: the library reads reais as floating point.

declare const marca: unique symbol;

/** Money in whole centavos of a real; may be negative. Fits `Number.MAX_SAFE_INTEGER`. */
export type Centavos = number & { readonly [marca]: 'Centavos' };

/**
 * Marks an integer as centavos.
 * @throws {RangeError} when `n` is no safe integer.
 */
export function centavos(n: number): Centavos {
  // Adding zero makes 0 of -0, which is another value to Object.is and deepEqual.
  const semSinalDeZero = n + 0;
  if (!inteiroSeguro(semSinalDeZero)) throw new RangeError(`centavos fora do intervalo inteiro seguro: ${n}`);
  return semSinalDeZero;
}

function inteiroSeguro(n: number): n is Centavos {
  return Number.isSafeInteger(n);
}

/**
 * Reads reais from a decimal text ('99.90', '-0.1', '1.005'), as MySQL writes DECIMAL. From the third place on it is
 * rounded to the centavo, half away from zero ('1.005' is 101 centavos), without floating point.
 * @throws {RangeError} for any other text (a comma, a '+', an exponent, spaces, empty) or when it does not fit.
 */
export function lerDinheiro(texto: string): Centavos {
  const partes = /^(-?)(\d+)(?:\.(\d+))?$/.exec(texto);
  if (!partes) throw new RangeError('dinheiro precisa ser texto decimal, como 99.90');
  const [, sinal, reais = '', casas = ''] = partes;
  const truncado = Number(reais + casas.slice(0, 2).padEnd(2, '0'));
  const modulo = truncado + (casas.charAt(2) >= '5' ? 1 : 0);
  return centavos(sinal === '-' ? -modulo : modulo);
}

/** Writes centavos as reais with exactly two places: 9990 is '99.90', -5 is '-0.05'. */
export function escreverDinheiro(c: Centavos): string {
  const algarismos = String(Math.abs(c)).padStart(3, '0');
  return `${c < 0 ? '-' : ''}${algarismos.slice(0, -2)}.${algarismos.slice(-2)}`;
}

/**
 * Adds amounts up; zero without arguments.
 * @throws {RangeError} when the sum, or a sum on the way, is no safe integer.
 */
export function somarDinheiro(...c: Centavos[]): Centavos {
  return c.reduce((soma, parcela) => centavos(soma + parcela), centavos(0));
}
