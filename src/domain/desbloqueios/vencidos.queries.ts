import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS } from '../../platform/mysql/tenant.ts';

/** Providers that have an unblock whose time is over and that nobody has ended. Crosses tenants, by name and on purpose. */
export async function provedoresComVencidos(db: Db, agora: Date): Promise<number[]> {
  const rows = await db(db.raw('desbloqueios_confianca FORCE INDEX (desbloqueios_confianca_vencidos)'))
    .whereNull('encerrado_em')
    .where('ate', '<', toDatabaseTime(agora))
    .distinct<{ provedor_id: number }[]>('provedor_id')
    .timeout(READ_TIMEOUT_MS);
  return rows.map(({ provedor_id }) => provedor_id);
}
