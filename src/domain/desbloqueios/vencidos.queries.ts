import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS } from '../../platform/mysql/tenant.ts';

const DE_QUEM = columns<{ provedor_id: number }>('desbloqueios_confianca', { provedor_id: true });

/** Providers that have an unblock whose time is over and that nobody has ended. Crosses tenants, by name and on purpose. */
export async function provedoresComVencidos(db: Db, agora: Date): Promise<number[]> {
  const vencidos = db(db.raw('desbloqueios_confianca FORCE INDEX (desbloqueios_confianca_vencidos)'))
    .whereNull('encerrado_em')
    .where('ate', '<', toDatabaseTime(agora))
    .distinct()
    .timeout(READ_TIMEOUT_MS);
  return (await rowsOf(vencidos, DE_QUEM)).map(({ provedor_id }) => provedor_id);
}
