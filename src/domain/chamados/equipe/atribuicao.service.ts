import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { createEquipeQueries } from './equipe.queries.ts';
import type { ChamadoTravado } from './equipe.queries.ts';

/**
 * Gives a ticket, whose lock the caller holds, to somebody, or to nobody; nothing where it is so already. It reaches the staff alone.
 *
 * @throws Recusa `responsavel_indisponivel`
 */
export async function atribuir(
  w: Write,
  relogio: Relogio,
  { id, cliente_id, responsavel_id: de }: Pick<ChamadoTravado, 'id' | 'cliente_id' | 'responsavel_id'>,
  para: number | null,
): Promise<void> {
  if (para === de) return;
  const queries = createEquipeQueries(w);
  const nome = para === null ? null : await queries.quemAtende(para);
  recusarSeNao(para === null || nome !== null, 'responsavel_indisponivel', { campo: 'responsavel_id' });
  await queries.mudarParaAEquipe(id, { responsavel_id: para });
  const descricao = nome === null ? 'Sem responsável.' : `Responsável: ${nome}.`;
  await queries.inserirNota(id, toDatabaseTime(relogio.agora()), { acao: 'responsavel', descricao });
  w.emit('chamado.atribuido', id, { cliente: cliente_id, de, para });
}
