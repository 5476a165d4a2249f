/** A thread of the tests' own. */
// oxlint-disable-next-line import/no-default-export -- what piscina calls
export default function dobro(numero: number): number {
  if (numero < 0) throw new RangeError('negativo');
  return 2 * numero;
}
