import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { esquecerDispositivos } from '../../push/dispositivos/fim.service.ts';
import { nomeDaSessaoDoApp } from './sessoes.regras.ts';
import type { MotivoDoFim } from './sessoes.types.ts';

const DA_ABERTA = columns<{ id: number }>('app_sessoes', { id: true });

/** Whose sessions, and which of them: all, one alone, or all but one. */
export interface Quais {
  readonly acessoIds?: readonly number[];
  readonly usuarioIds?: readonly number[];
  readonly so?: number;
  readonly menos?: number;
}

async function abertas(w: Write, { acessoIds, usuarioIds, so, menos }: Quais): Promise<number[]> {
  const query = w.from('app_sessoes').whereNull('encerrada_em').orderBy('id');
  if (acessoIds !== undefined) query.whereIn('acesso_id', acessoIds);
  if (usuarioIds !== undefined) query.whereIn('usuario_id', usuarioIds);
  if (so !== undefined) query.where('id', so);
  if (menos !== undefined) query.whereNot('id', menos);
  return (await rowsOf(query.forUpdate(), DA_ABERTA)).map(({ id }) => id);
}

/**
 * Ends sessions of the app, with their devices, and touches their tags: once the write is answered no process admits them. The caller says so to the audit log
 * where nothing else that it says tells of it.
 *
 * @returns how many were open
 */
export async function encerrarSessoesDoApp(w: Write, quais: Quais, motivo: MotivoDoFim, agora: Date): Promise<number> {
  const ids = await abertas(w, quais);
  if (ids.length === 0) return 0;
  const encerrada_em = toDatabaseTime(agora);
  await w.update('app_sessoes', (q) => void q.whereIn('id', ids), { encerrada_em, vale_ate: encerrada_em, motivo });
  await esquecerDispositivos(w, ids);
  tocar(w, ids);
  return ids.length;
}

/** Makes every process read the sessions again, which say what their owner may do. */
export async function tocarSessoesDoApp(w: Write, quais: Quais): Promise<void> {
  tocar(w, await abertas(w, quais));
}

const tocar = (w: Write, ids: readonly number[]): void => w.touch(...ids.map(nomeDaSessaoDoApp));
