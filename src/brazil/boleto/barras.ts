// Written by hand: the only maintained library with this code brings a hundred others, 12.8 MB (ADR 23).

/** Of each digit, its five bars or spaces: 3 modules for a wide one, as FEBRABAN has it, else 1 (ISO/IEC 16390, table 1). */
const DIGITOS = ['11331', '31113', '13113', '33111', '11313', '31311', '13311', '11133', '31131', '13131'].map(
  (larguras) => Array.from(larguras, Number),
);
const INICIO = [1, 1, 1, 1];
const FIM = [3, 1, 1];

/**
 * The widths, in modules, of a bar code of type interleaved 2 of 5: bar and space in turn, from the first bar to a narrow space after the
 * last. Of each pair of digits the first is in the bars, the second in the spaces between them.
 * @throws {RangeError} when the code is not pairs of digits.
 */
export function barrasIntercaladas(codigo: string): readonly number[] {
  if (!/^(?:\d\d)+$/.test(codigo)) throw new RangeError('o código de barras não é de pares de dígitos');
  const pares = Array.from(codigo.matchAll(/(\d)(\d)/g), ([, barras, espacos]) => {
    const [escuras = [], claras = []] = [DIGITOS[Number(barras)], DIGITOS[Number(espacos)]];
    return escuras.flatMap((largura, n) => [largura, claras[n] ?? 1]);
  });
  return [...INICIO, ...pares.flat(), ...FIM, 1];
}
