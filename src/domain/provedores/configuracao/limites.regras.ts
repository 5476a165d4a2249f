import { centavos, escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { RegrasCobranca } from '../provedores.types.ts';

/**
 * The most that a provider's rules may say; percentages in hundredths. Fine: CDC, art. 52 §1. Interest: 1 % a month is what CTN, art. 161
 * §1, has (and the Civil Code, art. 406, meant until Lei 14.905/2024), and twice that is the most by the usury law (Decreto 22.626/1933,
 * art. 1), so between them somebody has to say that it is meant.
 */
export const LIMITES = {
  multa: 200,
  juros: 100,
  jurosConfirmados: 200,
  carenciaDias: 365,
  desbloqueioDias: 90,
  toleranciaPixDias: 7,
  avisoDias: 30,
  promessaDias: 30,
  /** What a key with restrictions may find out; more would be no limit. */
  porHora: 100_000,
} as const;

/** Why interest between the two limits has to be confirmed, for who typed it. */
export const POR_QUE_CONFIRMAR =
  'acima de 1,00 % ao mês (CTN, art. 161, § 1º) é preciso confirmar, com --confirmar-juros; ' +
  'acima do dobro, 2,00 %, a Lei da Usura (Decreto 22.626/1933, art. 1º) não deixa';

/** What of a provider's rules would not be accepted today, by the names of their columns: written by earlier versions, or by SQL. */
export function avisosDasRegras({ jurosMensalPercentual: juros, carenciaDias }: RegrasCobranca): string[] {
  return [
    ...(juros > LIMITES.jurosConfirmados
      ? [`juros_mensal_percentual: ${emTexto(juros)} % passa de 2,00 %, o dobro da taxa legal, e fica até ser mudado`]
      : []),
    ...(carenciaDias > LIMITES.carenciaDias
      ? [`carencia_dias: ${carenciaDias} passa de ${LIMITES.carenciaDias}, e fica até ser mudado`]
      : []),
  ];
}

/** Hundredths of a percent: 200 is `2,00`. */
function emTexto(centesimos: number): string {
  return escreverDinheiro(centavos(centesimos)).replace('.', ',');
}
