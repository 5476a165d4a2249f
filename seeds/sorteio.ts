/** Sorteios que se repetem: a mesma semente dá os mesmos dados em qualquer máquina. Nunca serve para segredos. */
export interface Sorteio {
  /** Inteiro de `min` a `max`, os dois inclusive. */
  inteiro(min: number, max: number): number;
  /** Verdadeiro com probabilidade `p`, de 0 a 1. */
  chance(p: number): boolean;
  /** @throws {RangeError} se a lista for vazia. */
  escolher<T>(lista: readonly T[]): T;
  /** Escolhe na proporção dos pesos. */
  pesado<T>(opcoes: readonly (readonly [T, number])[]): T;
  /** Média `media`, distribuição exponencial: durações de sessões, intervalos. */
  exponencial(media: number): number;
  digitos(quantos: number): string;
}

/** Mulberry32: 32 bits de estado bastam para dados de demonstração e não custam nada. */
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
