// Escrito à mão: a biblioteca lê reais para ponto flutuante.

declare const marca: unique symbol;

/** Dinheiro em centavos inteiros de real; pode ser negativo. Cabe em `Number.MAX_SAFE_INTEGER`. */
export type Centavos = number & { readonly [marca]: 'Centavos' };

/**
 * Marca um inteiro como centavos.
 * @throws {RangeError} se `n` não for um inteiro seguro.
 */
export function centavos(n: number): Centavos {
  // Somar zero troca -0 por 0, que são diferentes para Object.is e para deepEqual.
  const semSinalDeZero = n + 0;
  if (!inteiroSeguro(semSinalDeZero)) throw new RangeError(`centavos fora do intervalo inteiro seguro: ${n}`);
  return semSinalDeZero;
}

function inteiroSeguro(n: number): n is Centavos {
  return Number.isSafeInteger(n);
}

/**
 * Lê reais em texto decimal ('99.90', '-0.1', '1.005'), como o MySQL escreve DECIMAL. Da terceira casa em diante
 * arredonda para o centavo, metade para longe do zero ('1.005' é 101 centavos), sem passar por ponto flutuante.
 * @throws {RangeError} em qualquer outro texto (vírgula, sinal '+', expoente, espaços, vazio) ou se não couber.
 */
export function lerDinheiro(texto: string): Centavos {
  const partes = /^(-?)(\d+)(?:\.(\d+))?$/.exec(texto);
  if (!partes) throw new RangeError('dinheiro precisa ser texto decimal, como 99.90');
  const [, sinal, reais = '', casas = ''] = partes;
  const truncado = Number(reais + casas.slice(0, 2).padEnd(2, '0'));
  const modulo = truncado + (casas.charAt(2) >= '5' ? 1 : 0);
  return centavos(sinal === '-' ? -modulo : modulo);
}

/** Escreve centavos como reais com exatamente duas casas: 9990 é '99.90', -5 é '-0.05'. */
export function escreverDinheiro(c: Centavos): string {
  const algarismos = String(Math.abs(c)).padStart(3, '0');
  return `${c < 0 ? '-' : ''}${algarismos.slice(0, -2)}.${algarismos.slice(-2)}`;
}

/**
 * Soma quantias; sem argumentos, zero.
 * @throws {RangeError} se a soma, ou uma soma parcial, passar do inteiro seguro.
 */
export function somarDinheiro(...c: Centavos[]): Centavos {
  return c.reduce((soma, parcela) => centavos(soma + parcela), centavos(0));
}
