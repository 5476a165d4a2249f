import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';

/** Open invites whose time is over, those first that have been for longest. Crosses tenants, by name and on purpose. */
export async function convitesVencidos(
  db: Db,
  agora: Date,
  limite: number,
): Promise<{ provedor_id: number; id: number }[]> {
  const [rows = []] = await db.raw<{ provedor_id: number; id: number }[][]>(
    `SELECT provedor_id, id FROM convites FORCE INDEX (convites_expiracao)
      WHERE situacao = 'aberto' AND expira_em <= ?
      ORDER BY expira_em LIMIT ?`,
    [toDatabaseTime(agora), limite],
  );
  return rows;
}
