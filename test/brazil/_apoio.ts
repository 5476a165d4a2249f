import * as fc from 'fast-check';
import { lerData, somarDias, type Data } from '../../src/brazil/calendario/datas.ts';

/** A data de um literal de teste; lança se não existir. */
export function data(literal: string): Data {
  const lida = lerData(literal);
  if (lida === null) throw new Error(`data de teste inválida: ${literal}`);
  return lida;
}

/** Datas ao acaso entre dois dias, inclusive. */
export function datas(de: string, ate: string): fc.Arbitrary<Data> {
  const dias = (Date.parse(ate) - Date.parse(de)) / 86_400_000;
  return fc.integer({ min: 0, max: dias }).map((n) => somarDias(data(de), n));
}

export const DIGITOS = '0123456789';
export const MAIUSCULAS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Domingo de Páscoa em dias desde 1970-01-01 (algoritmo anônimo gregoriano, Meeus/Jones/Butcher). */
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

/** A lista de facts/brazil.md, calculada sem a biblioteca, em ordem. */
export function feriadosCalculados(ano: number): string[] {
  const moveis = [-48, -47, -2, 60].map((dias) =>
    new Date((pascoa(ano) + dias) * 86_400_000).toISOString().slice(0, 10),
  );
  const fixos = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25'];
  if (ano >= 2024) fixos.push('11-20');
  return [...new Set([...moveis, ...fixos.map((dia) => `${ano}-${dia}`)])].toSorted();
}

/** Os mesmos e o último dia de semana do ano, em que os bancos não atendem, em ordem. */
export function semBancosCalculados(ano: number): string[] {
  const ultimo = Date.UTC(ano, 11, 31) / 86_400_000;
  // 1970-01-01 foi uma quinta-feira.
  const fimDeSemana = [6, 0].indexOf((ultimo + 4) % 7) + 1;
  return [...feriadosCalculados(ano), new Date((ultimo - fimDeSemana) * 86_400_000).toISOString().slice(0, 10)];
}

/** Tira ao acaso, de uma semente; um caso em oito é um extremo, onde os erros moram. */
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
 * Confere uma propriedade em 100 mil casos. No lugar do fast-check, que levaria a maior parte do tempo gerando; o que
 * falha é dito com a semente, que MALHA_TEST_SEED repete.
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
