import { randomBytes } from 'node:crypto';

/** Of a static code: 25 letters and digits, a hundred bits of which nobody can foresee. */
export const novoTxid = (): string => randomBytes(13).toString('hex').slice(0, 25).toUpperCase();
