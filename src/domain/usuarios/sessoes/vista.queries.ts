import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';

/**
 * Notes that a session was used; false where another process did so since `antesDe`, or it was ended. It is no write of anybody's, so
 * neither the audit log nor the outbox hears of it: whoever calls this bumps the session's tag.
 */
export async function notarUso(
  db: Db,
  provedorId: number,
  sessaoId: number,
  agora: Date,
  antesDe: Date,
): Promise<boolean> {
  const mudadas = await createTenantDb(db, provedorId)
    .from('painel_sessoes')
    .where('id', sessaoId)
    .where('vista_em', '<=', toDatabaseTime(antesDe))
    .whereNull('encerrada_em')
    .update({ vista_em: toDatabaseTime(agora) });
  return mudadas === 1;
}
