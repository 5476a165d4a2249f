import type { Data } from '../../brazil/calendario/datas.ts';
import { centavos } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import type { Parcela } from './renegociacoes.types.ts';

export interface PlanoDeParcelas {
  /** All that the instalments and the down payment come to. */
  readonly total: Centavos;
  readonly parcelas: number;
  readonly entrada: Centavos;
  readonly primeiroVencimento: Data;
  readonly hoje: Data;
}

/**
 * The instalments of an amount, to the centavo: they differ by one at most, and the first ones are the larger.
 *
 * @throws {RangeError} where an instalment would be less than a centavo.
 */
export function parcelar({ total, parcelas, entrada, primeiroVencimento, hoje }: PlanoDeParcelas): Parcela[] {
  const resto = total - entrada;
  if (resto < parcelas) throw new RangeError(`${resto} centavos não dão ${parcelas} parcelas`);
  const cada = Math.floor(resto / parcelas);
  const comUmAMais = resto % parcelas;
  const mensais = Array.from({ length: parcelas }, (_, n) => ({
    numero: n + 1,
    vencimento: mesesDepois(primeiroVencimento, n),
    valor: centavos(cada + (n < comUmAMais ? 1 : 0)),
  }));
  return entrada > 0 ? [{ numero: 0, vencimento: hoje, valor: entrada }, ...mensais] : mensais;
}

/** The same day so many months later, or the last of a month that has no such day. */
export function mesesDepois(data: Data, meses: number): Data {
  const [ano = 0, mes = 1, dia = 1] = data.split('-').map(Number);
  const ultimo = new Date(Date.UTC(ano, mes - 1 + meses + 1, 0));
  ultimo.setUTCDate(Math.min(dia, ultimo.getUTCDate()));
  return ultimo.toISOString().slice(0, 10) as Data;
}
