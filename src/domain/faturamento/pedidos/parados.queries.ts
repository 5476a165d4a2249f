import { columns, rowsOfSql } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { porFazer } from './devidos.queries.ts';

const DE_QUEM = columns<{ provedor_id: number }>('o', { provedor_id: true });

interface SemPedidoRow {
  provedor_id: number;
  id: number;
}

const SEM_PEDIDO = columns<SemPedidoRow>('v', { provedor_id: true, id: true });

/** A time in which who does something would have said so. What is after it was written by a clock that was ahead, and says nothing. */
export interface HaPouco {
  readonly de: Date;
  readonly ate: Date;
}

/**
 * Providers with an open order at which nobody has done anything of late, or one whose wait after a failure is over. One that waits is none
 * (see `porFazer`). Whoever moves to another cell, or lives there, is left out. Crosses tenants, by name and on purpose.
 */
export async function provedoresComParados(db: Db, { de, ate }: HaPouco, agora: Date): Promise<number[]> {
  const [sql, bindings] = porFazer('o', agora);
  const rows = await rowsOfSql(
    db,
    DE_QUEM,
    (colunas) =>
      `SELECT ${colunas} FROM faturamento_pedidos o FORCE INDEX (faturamento_pedidos_abertos)
         STRAIGHT_JOIN provedores p ON p.id = o.provedor_id AND p.mudanca IS NULL
        WHERE o.aberto = 1 AND ${sql}
        GROUP BY o.provedor_id
       HAVING SUM(o.pedido_em BETWEEN ? AND ? OR COALESCE(o.andou_em BETWEEN ? AND ?, 0)) = 0
           OR COUNT(o.proxima_em) > 0`,
    [...bindings, ...[de, ate, de, ate].map(toDatabaseTime)],
  );
  return rows.map(({ provedor_id }) => provedor_id);
}

/**
 * Runs that are being undone and whose order is gone, or did not end of late. One that ended only now is left for later, so that no
 * worker which takes these orders for something else is given one after the other. Crosses tenants, by name and on purpose.
 */
export async function vezesSemPedido(db: Db, { de, ate }: HaPouco): Promise<SemPedidoRow[]> {
  return rowsOfSql(
    db,
    SEM_PEDIDO,
    (colunas) =>
      `SELECT ${colunas} FROM faturamentos v FORCE INDEX (faturamentos_desfazendo)
         STRAIGHT_JOIN provedores p ON p.id = v.provedor_id AND p.mudanca IS NULL
        WHERE v.desfazendo = 1 AND NOT EXISTS (
                SELECT 1 FROM faturamento_pedidos o FORCE INDEX (faturamento_pedidos_ultimos)
                 WHERE o.provedor_id = v.provedor_id AND o.tipo = 'desfazer' AND o.faturamento_id = v.id
                   AND (o.terminado_em IS NULL OR o.terminado_em BETWEEN ? AND ?))`,
    [de, ate].map(toDatabaseTime),
  );
}
