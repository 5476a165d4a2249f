import type { Author } from '../platform/writes.ts';

/** Who writes at the operator's terminal. */
export const LINHA_DE_COMANDO: Author = { name: 'linha de comando', chaveId: null, ip: null };
