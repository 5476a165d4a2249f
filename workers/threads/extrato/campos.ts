import { ehNulo, fimDoTexto, vistaDe } from './linhas.ts';
import type { Linhas } from './linhas.ts';

/** Os valores que há em uma coluna, e onde. */
export interface Campos {
  readonly vista: DataView;
  readonly inicios: Int32Array;
  readonly fins: Int32Array;
  /** Parquet, «Nested Encoding»: 1 por valor, 0 por falta dele. */
  readonly definicao: Uint8Array;
  /** De listas: 0 no primeiro de cada linha, 1 nos que o seguem. Null no que não é lista. */
  readonly repeticao: Uint8Array | null;
}

/** De uma coluna, pela sua ordem entre as `colunas`, que não seja de listas. */
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

/** De uma coluna de listas, em que não ter nada é ser vazia. */
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
