/** Numbers from 0 to 1, the same in every run (mulberry32), and what is drawn by them. */
export function sorteio(semente: number) {
  let estado = semente;
  const numero = (): number => {
    estado = (estado + 0x6d_2b_79_f5) | 0;
    let n = Math.imul(estado ^ (estado >>> 15), 1 | estado);
    n = (n + Math.imul(n ^ (n >>> 7), 61 | n)) ^ n;
    return ((n ^ (n >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    numero,
    ate: (n: number) => Math.floor(numero() * n),
    um: <T>(de: readonly T[]) => de[Math.floor(numero() * de.length)]!,
  };
}
