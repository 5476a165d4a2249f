import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { ParteDoPreco } from '../servicos/servicos.types.ts';

/** So much of an amount is of a service. */
export interface Fatia {
  readonly servicoId: number;
  readonly descricao: string | null;
  readonly valor: Centavos;
}

const CEM_POR_CENTO = 1_000_000n;

/**
 * Splits an amount: fixed parts, percentages of the whole, and the part that takes what is left. Fixed amounts are those of a full price, so
 * a bill of half of it has half of each. Every slice is less than a centavo away from its exact share, they add up to the amount, and what is
 * nothing is no slice. The part that takes what is left has at least a centavo where it has a share at all.
 *
 * @param preco the price that fixed amounts are of; nothing, or less: the amount itself
 * @returns null where fixed parts leave nothing of the price for the part that takes what is left
 */
export function repartir(valor: Centavos, partes: readonly ParteDoPreco[], preco: Centavos): Fatia[] | null {
  const base = BigInt(preco > 0 ? preco : valor);
  const inteiro = base * CEM_POR_CENTO;
  const pesos = partes.map(({ percentual, valor: fixo }) =>
    fixo !== null ? BigInt(fixo) * CEM_POR_CENTO : BigInt(percentual ?? 0) * base,
  );
  const pedido = pesos.reduce((soma, um) => soma + um, 0n);
  const doResto = partes.findIndex((parte) => parte.percentual === null && parte.valor === null);
  const haFixa = partes.some((parte) => parte.valor !== null);
  if (doResto !== -1 && haFixa && pedido >= inteiro) return null;
  if (doResto !== -1) pesos[doResto] = inteiro - pedido;
  const valores = porMaioresRestos(valor, pesos, doResto);
  return partes.flatMap(({ servicoId, descricao }, n) => {
    const dela = valores[n] ?? 0;
    return dela === 0 ? [] : [{ servicoId, descricao, valor: centavos(dela) }];
  });
}

/** An amount in proportion to others, each less than a centavo away from its exact share. */
export const repartirPorPesos = (valor: Centavos, pesos: readonly number[]): Centavos[] =>
  porMaioresRestos(
    valor,
    pesos.map((peso) => BigInt(peso)),
  ).map((um) => centavos(um));

/** In proportion: each rounded down, and the centavos that this leaves one by one to those that lost most; `primeiro` before all, if it has none. */
function porMaioresRestos(valor: number, pesos: readonly bigint[], primeiro = -1): number[] {
  const soma = pesos.reduce((total, um) => total + um, 0n);
  if (soma === 0n) return pesos.map(() => 0);
  const valores = pesos.map((peso) => Number((BigInt(valor) * peso) / soma));
  const restos = pesos.map((peso) => (BigInt(valor) * peso) % soma);
  const vez = (n: number): bigint =>
    n === primeiro && valores[n] === 0 && restos[n] !== 0n ? soma : (restos[n] ?? 0n);
  const falta = valor - valores.reduce((total, um) => total + um, 0);
  // The sort is stable: of equal ones, the first in order. The part of what is left comes after the others.
  const emOrdem = [...pesos.keys()].toSorted((a, b) => {
    const [deA, deB] = [vez(a), vez(b)];
    return deA === deB ? Number(a === primeiro) - Number(b === primeiro) : deA > deB ? -1 : 1;
  });
  const ganham = new Set(emOrdem.slice(0, falta));
  return valores.map((um, n) => (ganham.has(n) ? um + 1 : um));
}

/** So much of each item is a discount of the whole: in proportion, the last one's is what is left, and none is more than its item. */
export function ratear(desconto: Centavos, valores: readonly Centavos[]): Centavos[] {
  const rateado = emProporcao(desconto, valores);
  let falta = desconto - rateado.reduce((total, um) => total + um, 0);
  return rateado.map((um, n) => {
    const mais = Math.min(falta, (valores[n] ?? 0) - um);
    falta -= mais;
    return centavos(um + mais);
  });
}

/** An amount in proportion to others; what rounding leaves is the last one's. */
export function dividir(valor: Centavos, pesos: readonly number[]): Centavos[] {
  const exatos = emProporcao(valor, pesos);
  const sobra = valor - exatos.reduce((total, um) => total + um, 0);
  return exatos.map((um, n) => centavos(n === exatos.length - 1 ? um + sobra : um));
}

/** Rounded down. */
function emProporcao(valor: number, pesos: readonly number[]): number[] {
  const soma = pesos.reduce((total, um) => total + um, 0);
  return soma === 0 ? pesos.map(() => 0) : pesos.map((peso) => Number((BigInt(valor) * BigInt(peso)) / BigInt(soma)));
}
