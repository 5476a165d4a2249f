import type { Cobranca } from './cobrancas.types.ts';

/** What a payment page shows that can change while it is open; a text to be compared, which says no more than the page. */
export function estadoDaCobranca({ fatura }: Cobranca): string {
  return `${fatura.situacao} ${fatura.aPagar} ${fatura.valorPago}`;
}
