import type { Author } from '../platform/writes.ts';

/** Who writes at the operator's terminal. */
export const LINHA_DE_COMANDO: Author = { name: 'linha de comando', chaveId: null, ip: null };

/** Who writes when a job does, on nobody's request. */
export const TAREFA: Author = { name: 'tarefa', chaveId: null, ip: null };
