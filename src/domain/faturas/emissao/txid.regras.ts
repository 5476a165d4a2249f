import { randomBytes } from 'node:crypto';

/** Random bytes that a txid takes. */
export const TXID_BYTES = 13;

/**
 * Of a static code: 25 letters and digits, a hundred bits of which nobody can foresee.
 *
 * @param sorte {@link TXID_BYTES} random bytes, of whoever draws those of many at once
 */
export const novoTxid = (sorte: Buffer = randomBytes(TXID_BYTES)): string =>
  sorte.toString('hex').slice(0, 25).toUpperCase();
