import { expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';

const ULTIMA = expressions<{ ultima: string | null }>({ ultima: 'MAX(ouvida_em)' });

/** When any session of the cell was heard of last, by the end of an index. Crosses tenants, on purpose. */
export async function ultimaOuvida(db: Db): Promise<Date | null> {
  const [achada] = await rowsOf(db('sessoes_ouvidas'), ULTIMA);
  const ultima = achada?.ultima ?? null;
  return ultima === null ? null : fromDatabaseTime(ultima);
}
