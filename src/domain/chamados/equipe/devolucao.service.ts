import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { createEquipeQueries } from './equipe.queries.ts';

const DELE = columns<{ id: number; cliente_id: number }>('chamados', { id: true, cliente_id: true });

/**
 * Gives the open tickets of somebody who leaves back to the queue, where those without an attendant are looked for. Visits stay as they
 * were agreed with the client. Written as by `atribuir`: it reaches the staff alone.
 *
 * @returns how many they were
 */
export async function devolverChamadosDe(w: Write, usuarioId: number, agora: Date): Promise<number> {
  const abertos = w.from('chamados').where({ em_aberto: 1, responsavel_id: usuarioId }).orderBy('id');
  const deles = await rowsOf(abertos.forUpdate(), DELE);
  if (deles.length === 0) return 0;
  const queries = createEquipeQueries(w);
  const ids = deles.map(({ id }) => id);
  await queries.mudarParaAEquipe(ids, { responsavel_id: null });
  await queries.inserirNota(ids, toDatabaseTime(agora), { acao: 'responsavel', descricao: 'Sem responsável.' });
  for (const { id, cliente_id } of deles) {
    w.emit('chamado.atribuido', id, { cliente: cliente_id, de: usuarioId, para: null });
  }
  return ids.length;
}
