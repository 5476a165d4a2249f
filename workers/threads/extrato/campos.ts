import { ehNulo, fimDoTexto, vistaDe } from './linhas.ts';
import type { Linhas } from './linhas.ts';

/** The values that a column has, and where. */
export interface Campos {
  readonly vista: DataView;
  readonly inicios: Int32Array;
  readonly fins: Int32Array;
  /** Parquet, "Nested Encoding": 1 for each value, 0 for each that is missing. */
  readonly definicao: Uint8Array;
  /** Of lists: 0 for the first of each row, 1 for those after it. Null where it is no list. */
  readonly repeticao: Uint8Array | null;
}

/** Of a column that has no lists, by its place among the `colunas`. */
export function camposDe({ quantas, bytes, ...limites }: Linhas, coluna: number, colunas: number): Campos {
  const vista = vistaDe(bytes);
  const inicios = new Int32Array(quantas);
  const fins = new Int32Array(quantas);
  const definicao = new Uint8Array(quantas);
  let quantos = 0;
  for (let linha = 0, campo = coluna; linha < quantas; linha += 1, campo += colunas) {
    const inicio = limites.inicios[campo] ?? 0;
    const fim = limites.fins[campo] ?? 0;
    if (ehNulo(vista, inicio, fim)) continue;
    definicao[linha] = 1;
    inicios[quantos] = inicio;
    fins[quantos] = fim;
    quantos += 1;
  }
  return { vista, inicios: inicios.subarray(0, quantos), fins: fins.subarray(0, quantos), definicao, repeticao: null };
}

/** Of a column of lists, in which to have nothing is to be empty. */
export function camposDasListas({ quantas, bytes, ...limites }: Linhas, coluna: number, colunas: number): Campos {
  const vista = vistaDe(bytes);
  const inicios: number[] = [];
  const fins: number[] = [];
  const definicao: number[] = [];
  const repeticao: number[] = [];
  for (let linha = 0, campo = coluna; linha < quantas; linha += 1, campo += colunas) {
    const inicio = limites.inicios[campo] ?? 0;
    const fim = limites.fins[campo] ?? 0;
    if (ehNulo(vista, inicio, fim)) {
      definicao.push(0);
      repeticao.push(0);
      continue;
    }
    for (let de = inicio; de <= fim;) {
      const ate = fimDoTexto(vista, de, fim);
      inicios.push(de);
      fins.push(ate);
      definicao.push(1);
      repeticao.push(de === inicio ? 0 : 1);
      de = ate + 1;
    }
  }
  return {
    vista,
    inicios: Int32Array.from(inicios),
    fins: Int32Array.from(fins),
    definicao: Uint8Array.from(definicao),
    repeticao: Uint8Array.from(repeticao),
  };
}
