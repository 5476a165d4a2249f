import { ID, columns, rowsOf } from '../../platform/mysql/columns.ts';
import { recusarSeNao } from '../erros.ts';
import type { Write } from '../escrita.ts';

export type LeituraDeNotificacoesService = ReturnType<typeof createLeituraDeNotificacoesService>;

const LIDAS = columns<{ id: number; ate_id: number }>('notificacoes_lidas', { id: true, ate_id: true });

/** How far whoever is logged in has read. It is no event, and stands in no answer that is kept: nothing is told of it. */
export function createLeituraDeNotificacoesService(w: Write) {
  return {
    /** Marks as read what came up to a notice, that one included; what was read stays read. @throws Recusa `nao_encontrado` */
    async marcarLidas(ateId: number): Promise<void> {
      const { usuarioId } = w.author;
      recusarSeNao(usuarioId, 'nao_encontrado');
      const [ultima] = await rowsOf(w.from('notificacoes').orderBy('id', 'desc').limit(1), ID);
      const ate_id = Math.min(ateId, ultima?.id ?? 0);
      const [lidas] = await rowsOf(w.from('notificacoes_lidas').where('usuario_id', usuarioId).forUpdate(), LIDAS);
      if (lidas === undefined) {
        await w.insert('notificacoes_lidas', { usuario_id: usuarioId, ate_id }, { soughtBefore: true });
      } else if (lidas.ate_id < ate_id) {
        await w.update('notificacoes_lidas', (q) => void q.where('id', lidas.id), { ate_id });
      }
    },
  };
}
