import type { Campos } from './campos.ts';

/**
 * How many fields are sought before it is said whether a dictionary is worth it: with a quarter of these, four hundred
 * distinct values seem not to repeat.
 */
const AMOSTRA = 2000;

export interface Dicionario {
  /** Each distinct value, once. */
  readonly distintos: Campos;
  /** Of each value, the place of its distinct one. */
  readonly indices: Int32Array;
}

/** By the bytes in which the values came; null where the distinct ones are half or more, of all or of the first. */
export function criarDicionario(campos: Campos): Dicionario | null {
  const { vista, inicios, fins } = campos;
  const quantos = inicios.length;
  const indices = new Int32Array(quantos);
  const primeiros = new Int32Array(quantos);
  // In each place, the place of a distinct value plus one, or zero; twice as many as values, so that few meet.
  const lugares = new Int32Array(2 ** Math.ceil(Math.log2(2 * quantos + 1)));
  const mascara = lugares.length - 1;
  let distintos = 0;
  for (let n = 0; n < quantos; n += 1) {
    if (2 * distintos >= Math.max(n, AMOSTRA)) return null;
    const inicio = inicios[n] ?? 0;
    const fim = fins[n] ?? 0;
    let lugar = resumir(vista, inicio, fim) & mascara;
    let achado = (lugares[lugar] ?? 0) - 1;
    while (achado >= 0) {
      const primeiro = primeiros[achado] ?? 0;
      if (iguais(vista, inicio, fim, inicios[primeiro] ?? 0, fins[primeiro] ?? 0)) break;
      lugar = (lugar + 1) & mascara;
      achado = (lugares[lugar] ?? 0) - 1;
    }
    if (achado < 0) {
      achado = distintos;
      primeiros[distintos] = n;
      distintos += 1;
      lugares[lugar] = distintos;
    }
    indices[n] = achado;
  }
  if (2 * distintos >= quantos) return null;
  const meus = primeiros.subarray(0, distintos);
  const so = (limites: Int32Array): Int32Array => meus.map((n) => limites[n] ?? 0);
  return { distintos: { ...campos, inicios: so(inicios), fins: so(fins) }, indices };
}

/** Four bytes at a time: there are millions of fields. */
function resumir(vista: DataView, inicio: number, fim: number): number {
  let resumo = fim - inicio;
  let n = inicio;
  for (; n + 4 <= fim; n += 4) resumo = misturar(resumo, vista.getInt32(n));
  for (; n < fim; n += 1) resumo = misturar(resumo, vista.getUint8(n));
  return resumo ^ (resumo >>> 15);
}

/** Fibonacci hashing, with its high bits brought down. */
const misturar = (resumo: number, mais: number): number => Math.imul(resumo ^ mais, 0x9e3779b1) ^ (resumo >>> 15);

function iguais(vista: DataView, inicio: number, fim: number, outro: number, fimDoOutro: number): boolean {
  if (fim - inicio !== fimDoOutro - outro) return false;
  let n = inicio;
  let m = outro;
  for (; n + 4 <= fim; n += 4, m += 4) if (vista.getInt32(n) !== vista.getInt32(m)) return false;
  for (; n < fim; n += 1, m += 1) if (vista.getUint8(n) !== vista.getUint8(m)) return false;
  return true;
}
