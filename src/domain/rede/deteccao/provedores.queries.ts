import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { onlyHere } from '../../../platform/mysql/moving.ts';

const DO_NAS = columns<{ provedor_id: number }>('provedores_nas', { provedor_id: true });

/** Providers that live here and have servers. Crosses tenants, by name and on purpose. */
export async function provedoresComServidores(db: Db): Promise<number[]> {
  const todos = await rowsOf(db('provedores_nas').distinct().orderBy('provedor_id'), DO_NAS);
  return (await onlyHere(db, todos, ({ provedor_id }) => provedor_id)).map(({ provedor_id }) => provedor_id);
}
