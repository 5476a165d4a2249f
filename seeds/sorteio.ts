/** A generator that repeats itself: the same seed gives the same data on any machine. Never for secrets. */
export interface Sorteio {
  /** An integer from `min` to `max`, both inclusive. */
  inteiro(min: number, max: number): number;
  /** True with probability `p`, 0 to 1. */
  chance(p: number): boolean;
  /** @throws {RangeError} when the list is empty. */
  escolher<T>(lista: readonly T[]): T;
  /** Chooses in proportion to the weights. */
  pesado<T>(opcoes: readonly (readonly [T, number])[]): T;
  /** Of mean `media` and exponential distribution: lengths of sessions, pauses. */
  exponencial(media: number): number;
  digitos(quantos: number): string;
}

/** Mulberry32: 32 bits of state are enough for demonstration data, and cost nothing. */
export function createSorteio(semente: number): Sorteio {
  let estado = semente >>> 0;
  function numero(): number {
    estado = (estado + 0x6d2b79f5) >>> 0;
    let t = estado;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }
  const inteiro = (min: number, max: number): number => min + Math.floor(numero() * (max - min + 1));
  function escolher<T>(lista: readonly T[]): T {
    const item = lista[inteiro(0, lista.length - 1)];
    if (item === undefined) throw new RangeError('nada para escolher');
    return item;
  }
  return {
    inteiro,
    chance: (p) => numero() < p,
    escolher,
    pesado(opcoes) {
      let resto = numero() * opcoes.reduce((soma, [, peso]) => soma + peso, 0);
      for (const [opcao, peso] of opcoes) {
        resto -= peso;
        if (resto < 0) return opcao;
      }
      return escolher(opcoes)[0];
    },
    exponencial: (media) => -media * Math.log(1 - numero()),
    digitos: (quantos) => Array.from({ length: quantos }, () => inteiro(0, 9)).join(''),
  };
}
