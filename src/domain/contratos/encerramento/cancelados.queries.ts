import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS } from '../../../platform/mysql/tenant.ts';
import { canceladosAntes } from './encerramento.queries.ts';

const DE_QUEM = columns<{ provedor_id: number }>('contratos', { provedor_id: true });

/** Providers that have a contract to end for good. Crosses tenants, by name and on purpose. */
export async function provedoresComCancelados(db: Db, limite: Date): Promise<number[]> {
  const contratos = db(db.raw('contratos FORCE INDEX (contratos_encerrar)'));
  const rows = await rowsOf(canceladosAntes(contratos, limite).distinct().timeout(READ_TIMEOUT_MS), DE_QUEM);
  return rows.map(({ provedor_id }) => provedor_id);
}
