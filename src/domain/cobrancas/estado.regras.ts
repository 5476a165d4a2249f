import { createHash } from 'node:crypto';
import type { Cobranca } from './cobrancas.types.ts';

/**
 * What a payment page shows that can change while it is open: state, amounts, and the ways to pay, of which one may be withdrawn. A hash,
 * only to be compared: a page that shows no amount must not give it away in what it asks for.
 */
export function estadoDaCobranca({ fatura }: Cobranca): string {
  const { situacao, valor, aPagar, valorPago, vencimento, segundaVia } = fatura;
  const mostrado = [situacao, valor, aPagar, valorPago, vencimento, segundaVia];
  return createHash('sha256').update(JSON.stringify(mostrado)).digest('base64url');
}
