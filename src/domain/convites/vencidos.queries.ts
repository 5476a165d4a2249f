import { columns, rowsOfSql } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';

interface ConviteVencidoRow {
  provedor_id: number;
  id: number;
}

const VENCIDO = columns<ConviteVencidoRow>('convites', { provedor_id: true, id: true });

/** Open invites whose time is over, those first that have been for longest. Crosses tenants, by name and on purpose. */
export async function convitesVencidos(db: Db, agora: Date, limite: number): Promise<ConviteVencidoRow[]> {
  return rowsOfSql(
    db,
    VENCIDO,
    (colunas) =>
      `SELECT ${colunas} FROM convites FORCE INDEX (convites_expiracao)
         STRAIGHT_JOIN provedores p ON p.id = convites.provedor_id AND p.mudanca IS NULL
        WHERE convites.situacao = 'aberto' AND convites.expira_em <= ?
        ORDER BY convites.expira_em LIMIT ?`,
    [toDatabaseTime(agora), limite],
  );
}
