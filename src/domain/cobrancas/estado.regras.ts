import { createHash } from 'node:crypto';
import type { Cobranca } from './cobrancas.types.ts';

/**
 * What a payment page shows that can change while it is open: state, amounts, and the ways to pay, of which one may be withdrawn. A text
 * to be compared, and only that: a page may show no amount, and then nothing that it asks for says one.
 */
export function estadoDaCobranca({ fatura }: Cobranca): string {
  const { situacao, valor, aPagar, valorPago, vencimento, segundaVia } = fatura;
  const mostrado = [situacao, valor, aPagar, valorPago, vencimento, segundaVia];
  return createHash('sha256').update(JSON.stringify(mostrado)).digest('base64url');
}
