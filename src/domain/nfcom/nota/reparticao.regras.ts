import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { ParteDoPreco } from '../servicos/servicos.types.ts';

interface Fatia {
  readonly servicoId: number;
  readonly descricao: string | null;
  readonly valor: Centavos;
}

const INTEIRO = 1_000_000n;

/**
 * Splits an amount: fixed parts first, then percentages of the whole, then the part that takes what is left; the slices add up to the amount.
 * Where fixed parts and percentages come to more than there is, as of a bill of half a month, they share it in proportion. What is nothing
 * is no slice.
 */
export function repartir(valor: Centavos, partes: readonly ParteDoPreco[]): Fatia[] {
  const pedidos = partes.map(({ percentual, valor: fixo }) =>
    fixo !== null ? fixo : percentual !== null ? porCento(valor, percentual) : 0,
  );
  const soma = pedidos.reduce((total, um) => total + um, 0);
  const doResto = partes.findIndex((parte) => parte.percentual === null && parte.valor === null);
  const exatos = soma > valor || (doResto === -1 && soma !== valor) ? emProporcao(valor, pedidos) : pedidos;
  const sobra = valor - exatos.reduce((total, um) => total + um, 0);
  // Without such a part, what rounding leaves is the last one's.
  const comSobra = doResto === -1 ? exatos.findLastIndex((um) => um > 0) : doResto;
  return partes.flatMap(({ servicoId, descricao }, n) => {
    const dela = (exatos[n] ?? 0) + (n === comSobra ? sobra : 0);
    return dela === 0 ? [] : [{ servicoId, descricao, valor: centavos(dela) }];
  });
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

/** Rounded half up, without floating point. */
const porCento = (valor: number, percentual: number): number =>
  Number((BigInt(valor) * BigInt(percentual) * 2n + INTEIRO) / (INTEIRO * 2n));

/** Rounded down. */
function emProporcao(valor: number, pesos: readonly number[]): number[] {
  const soma = pesos.reduce((total, um) => total + um, 0);
  return soma === 0 ? pesos.map(() => 0) : pesos.map((peso) => Number((BigInt(valor) * BigInt(peso)) / BigInt(soma)));
}
