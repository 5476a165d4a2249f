import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS } from '../../../platform/mysql/tenant.ts';

/** A person of whom something was kept whose time is over. */
export interface VencidoRow {
  provedor_id: number;
  id: number;
}

const DE_QUEM = columns<VencidoRow>('clientes', { provedor_id: true, id: true });

/** Erased persons of whom something was kept until before a day, the longest ago first. Crosses tenants, by name and on purpose. */
export async function apagadosPorConcluir(db: Db, dia: Data, limite: number): Promise<VencidoRow[]> {
  const vencidos = db(db.raw('clientes FORCE INDEX (clientes_guardado)'))
    .where('guardado_ate', '<', dia)
    .orderBy(['guardado_ate', 'provedor_id', 'id'])
    .limit(limite)
    .timeout(READ_TIMEOUT_MS);
  return rowsOf(vencidos, DE_QUEM);
}
