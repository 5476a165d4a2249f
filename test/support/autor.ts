import type { Author } from '../../src/platform/mysql/writes.ts';

/** Who writes in tests. */
export const AUTOR: Author = { name: 'testes', chaveId: null, ip: null };
