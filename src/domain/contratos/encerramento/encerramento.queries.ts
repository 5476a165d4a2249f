import type { Knex } from 'knex';
import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS } from '../../../platform/mysql/tenant.ts';
import type { Write } from '../../escrita.ts';

const DE_QUEM = columns<{ provedor_id: number }>('contratos', { provedor_id: true });

/** Cancelled before an instant; of one that was cancelled by others, without a date, its last change tells. */
function canceladosAntes(contratos: Knex.QueryBuilder, limite: Date): Knex.QueryBuilder {
  const instante = toDatabaseTime(limite);
  return contratos.where('situacao', 'cancelado').where((q) => {
    void q.where('cancelado_em', '<', instante).orWhere((semData) => {
      void semData.whereNull('cancelado_em').where('atualizado_em', '<', instante);
    });
  });
}

/** Providers that have a contract to end for good. Crosses tenants, by name and on purpose. */
export async function provedoresComCancelados(db: Db, limite: Date): Promise<number[]> {
  const contratos = db(db.raw('contratos FORCE INDEX (contratos_encerrar)'));
  const rows = await rowsOf(canceladosAntes(contratos, limite).distinct().timeout(READ_TIMEOUT_MS), DE_QUEM);
  return rows.map(({ provedor_id }) => provedor_id);
}

/** Contracts to end for good, without a lock. */
export async function cancelados(w: Write, limite: Date, quantos: number): Promise<number[]> {
  const rows = await rowsOf(canceladosAntes(w.from('contratos'), limite).orderBy('id').limit(quantos), ID);
  return rows.map(({ id }) => id);
}
