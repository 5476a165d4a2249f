import { centavos, type Centavos } from '../../dinheiro/dinheiro.ts';
import type { Taxa } from '../base/tributos.types.ts';

// Money and rates are integers. Products that no safe integer holds are calculated with BigInt.

/** The largest amount of an item, that of a DECIMAL(12,2) column. 990 of them still fit the schema's 13 digits. */
export const VALOR_MAXIMO = 999_999_999_999;

const CEM_POR_CENTO = 1_000_000;
const UMA_UNIDADE = 10_000;

/** `base` × `taxa`, rounded to the centavo, half up. Neither may be negative. */
export const aplicarTaxa = (base: Centavos, taxa: Taxa): Centavos => multiplicar(base, taxa, CEM_POR_CENTO);

/** `valor` × a quantity in ten-thousandths, rounded to the centavo, half up. */
export const vezesQuantidade = (valor: Centavos, quantidade: number): Centavos =>
  multiplicar(valor, quantidade, UMA_UNIDADE);

function multiplicar(a: number, b: number, divisor: number): Centavos {
  const produto = a * b;
  // A float product up to 2^53 is exact, and so is the division of what a whole number of divisors is left of.
  if (produto <= Number.MAX_SAFE_INTEGER - divisor) {
    const dobro = produto + divisor / 2;
    return centavos((dobro - (dobro % divisor)) / divisor);
  }
  const grande = BigInt(divisor);
  return centavos(Number((BigInt(a) * BigInt(b) + grande / 2n) / grande));
}

/** A rate with two places (the schema's 3.2): 180000 is '18.00'. What is smaller was refused before. */
export const escreverTaxa2 = (taxa: Taxa): string => inserirPonto(Math.trunc(taxa / 100), 2);

/** A rate with two places where they are enough, else with four: 6500 is '0.65', 6512 is '0.6512'. */
export const escreverTaxa2a4 = (taxa: Taxa): string => (taxa % 100 === 0 ? escreverTaxa2(taxa) : escreverTaxa4(taxa));

/** A rate with four places, as IBS and CBS are written: 1000 is '0.1000'. */
export const escreverTaxa4 = (taxa: Taxa): string => inserirPonto(taxa, 4);

/** A quantity in ten-thousandths: 10000 is '1.0000'. */
export const escreverQuantidade = (quantidade: number): string => inserirPonto(quantidade, 4);

function inserirPonto(inteiro: number, casas: number): string {
  const algarismos = String(inteiro).padStart(casas + 1, '0');
  return `${algarismos.slice(0, -casas)}.${algarismos.slice(-casas)}`;
}
