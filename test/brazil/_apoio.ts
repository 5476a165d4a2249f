import * as fc from 'fast-check';
import { lerData, somarDias, type Data } from '../../src/brazil/calendario/datas.ts';

/** The date of a literal in a test; throws when there is none. */
export function data(literal: string): Data {
  const lida = lerData(literal);
  if (lida === null) throw new Error(`data de teste inválida: ${literal}`);
  return lida;
}

/** Dates at random between two days, inclusive. */
export function datas(de: string, ate: string): fc.Arbitrary<Data> {
  const dias = (Date.parse(ate) - Date.parse(de)) / 86_400_000;
  return fc.integer({ min: 0, max: dias }).map((n) => somarDias(data(de), n));
}

export const DIGITOS = '0123456789';
export const MAIUSCULAS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Easter Sunday in days since 1970-01-01 (anonymous Gregorian algorithm, Meeus/Jones/Butcher). */
function pascoa(ano: number): number {
  const a = ano % 19;
  const b = Math.floor(ano / 100);
  const c = ano % 100;
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const soma = h + l - 7 * m + 114;
  return Date.UTC(ano, Math.floor(soma / 31) - 1, (soma % 31) + 1) / 86_400_000;
}

/** The national bank holidays, reckoned without the library, in order. */
export function feriadosCalculados(ano: number): string[] {
  const moveis = [-48, -47, -2, 60].map((dias) =>
    new Date((pascoa(ano) + dias) * 86_400_000).toISOString().slice(0, 10),
  );
  const fixos = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25'];
  if (ano >= 2024) fixos.push('11-20');
  return [...new Set([...moveis, ...fixos.map((dia) => `${ano}-${dia}`)])].toSorted();
}

/** The same and the year's last weekday, on which banks do not attend to the public, in order. */
export function semBancosCalculados(ano: number): string[] {
  const ultimo = Date.UTC(ano, 11, 31) / 86_400_000;
  // 1970-01-01 was a Thursday.
  const fimDeSemana = [6, 0].indexOf((ultimo + 4) % 7) + 1;
  return [...feriadosCalculados(ano), new Date((ultimo - fimDeSemana) * 86_400_000).toISOString().slice(0, 10)];
}

/** Draws at random, from a seed; one case of eight is an extreme, where faults are. */
export class Sorteio {
  #estado: number;

  constructor(semente: number) {
    this.#estado = semente;
  }

  /** De 0 a 2^32 - 1 (mulberry32). */
  #proximo(): number {
    this.#estado = (this.#estado + 0x6d2b79f5) | 0;
    let x = Math.imul(this.#estado ^ (this.#estado >>> 15), this.#estado | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return (x ^ (x >>> 14)) >>> 0;
  }

  inteiro(min: number, max: number): number {
    const [extremo, n] = [this.#proximo() % 16, this.#proximo() * 2 ** 21 + (this.#proximo() >>> 11)];
    if (extremo < 2) return extremo === 0 ? min : max;
    return min + (n % (max - min + 1));
  }

  um<T>(itens: ArrayLike<T>): T {
    return itens[this.#proximo() % itens.length]!;
  }

  texto(alfabeto: string, min: number, max = min): string {
    let texto = '';
    for (let falta = this.inteiro(min, max); falta > 0; falta--) texto += alfabeto[this.#proximo() % alfabeto.length];
    return texto;
  }
}

/**
 * Checks a property in 100 thousand cases, without fast-check, which would spend most of the time on generating. What
 * fails is told with its seed, which MALHA_TEST_SEED repeats.
 */
export function emCemMilCasos<Caso>(
  sortear: (sorteio: Sorteio) => Caso,
  vale: (caso: Caso) => boolean,
  casos = 100_000,
): void {
  const semente = Number(process.env['MALHA_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
  const sorteio = new Sorteio(semente);
  for (let i = 0; i < casos; i++) {
    const caso = sortear(sorteio);
    let razao: unknown = 'não vale';
    try {
      if (vale(caso)) continue;
    } catch (erro) {
      razao = erro;
    }
    throw new Error(`MALHA_TEST_SEED=${semente}, caso ${i}: ${JSON.stringify(caso)}: ${String(razao)}`);
  }
}
