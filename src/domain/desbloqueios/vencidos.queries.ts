import { toDatabaseTime } from '../../platform/database.ts';
import type { Db } from '../../platform/database.ts';
import { READ_TIMEOUT_MS } from '../../platform/tenant.ts';

/** Providers, of all, that have an unblock whose time is over and that nobody has ended. */
export async function provedoresComVencidos(db: Db, agora: Date): Promise<number[]> {
  const rows = await db('desbloqueios_confianca')
    .whereNull('encerrado_em')
    .groupBy('provedor_id')
    .having(db.raw('MIN(ate)'), '<', toDatabaseTime(agora))
    .timeout(READ_TIMEOUT_MS)
    .select<{ provedor_id: number }[]>('provedor_id');
  return rows.map(({ provedor_id }) => provedor_id);
}
