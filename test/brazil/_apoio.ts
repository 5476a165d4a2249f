import * as fc from 'fast-check';
import { lerData, somarDias, type Data } from '../../src/brazil/datas.ts';

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

/** Textos de `tamanho` caracteres de um alfabeto. */
export function textoDe(alfabeto: string, min: number, max = min): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...alfabeto.split('')), minLength: min, maxLength: max });
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
