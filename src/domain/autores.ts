import type { Author } from '../platform/mysql/writes.ts';

/** Who writes at the operator's terminal. */
export const LINHA_DE_COMANDO: Author = { name: 'linha de comando', chaveId: null, ip: null };

/** Who writes because a job says so. */
export const TAREFA: Author = { name: 'tarefa', chaveId: null, ip: null };
