import type { Knex } from 'knex';
import { ID, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';

/** Cancelled before an instant; of one that was cancelled by others, without a date, its last change tells. */
export function canceladosAntes(contratos: Knex.QueryBuilder, limite: Date): Knex.QueryBuilder {
  const instante = toDatabaseTime(limite);
  return contratos.where('situacao', 'cancelado').where((q) => {
    void q.where('cancelado_em', '<', instante).orWhere((semData) => {
      void semData.whereNull('cancelado_em').where('atualizado_em', '<', instante);
    });
  });
}

/** Contracts to end for good, without a lock. */
export async function cancelados(w: Write, limite: Date, quantos: number): Promise<number[]> {
  const rows = await rowsOf(canceladosAntes(w.from('contratos'), limite).orderBy('id').limit(quantos), ID);
  return rows.map(({ id }) => id);
}
