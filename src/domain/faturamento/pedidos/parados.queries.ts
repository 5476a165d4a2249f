import { columns, rowsOfSql } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';

const DE_QUEM = columns<{ provedor_id: number }>('o', { provedor_id: true });

interface SemPedidoRow {
  provedor_id: number;
  id: number;
}

const SEM_PEDIDO = columns<SemPedidoRow>('v', { provedor_id: true, id: true });

/**
 * Providers with an open order at which nobody has done anything since an instant. One that waits after a failure, `agora`, is none. Whoever moves to another cell, or lives there, is left
 * out. Crosses tenants, by name and on purpose.
 */
export async function provedoresComParados(
  db: Db,
  { desde, agora }: { readonly desde: Date; readonly agora: Date },
): Promise<number[]> {
  const rows = await rowsOfSql(
    db,
    DE_QUEM,
    (colunas) =>
      `SELECT ${colunas} FROM faturamento_pedidos o FORCE INDEX (faturamento_pedidos_abertos)
         STRAIGHT_JOIN provedores p ON p.id = o.provedor_id AND p.mudanca IS NULL
        WHERE o.aberto = 1 AND (o.proxima_em IS NULL OR o.proxima_em <= ?)
        GROUP BY o.provedor_id
       HAVING MAX(GREATEST(o.pedido_em, COALESCE(o.andou_em, o.pedido_em))) < ?`,
    [toDatabaseTime(agora), toDatabaseTime(desde)],
  );
  return rows.map(({ provedor_id }) => provedor_id);
}

/**
 * Runs that are being undone and whose order is gone, or ended before an instant. One that ended only now is left for later, so that no
 * worker which takes these orders for something else is given one after the other. Crosses tenants, by name and on purpose.
 */
export async function vezesSemPedido(db: Db, desde: Date): Promise<SemPedidoRow[]> {
  return rowsOfSql(
    db,
    SEM_PEDIDO,
    (colunas) =>
      `SELECT ${colunas} FROM faturamentos v FORCE INDEX (faturamentos_desfazendo)
         STRAIGHT_JOIN provedores p ON p.id = v.provedor_id AND p.mudanca IS NULL
        WHERE v.desfazendo = 1 AND NOT EXISTS (
                SELECT 1 FROM faturamento_pedidos o FORCE INDEX (faturamento_pedidos_ultimos)
                 WHERE o.provedor_id = v.provedor_id AND o.tipo = 'desfazer' AND o.faturamento_id = v.id
                   AND (o.terminado_em IS NULL OR o.terminado_em >= ?))`,
    [toDatabaseTime(desde)],
  );
}
