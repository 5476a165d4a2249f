import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { TokenAchado } from './busca.queries.ts';

/** Notes that a generation was shown, and that its session is in use today. It is no write of anybody's: neither the audit log nor the outbox hears of it. */
export async function notarUso(
  db: Db,
  { id, sessao, provedor }: Pick<TokenAchado, 'id' | 'sessao' | 'provedor'>,
  agora: Date,
): Promise<void> {
  const tenant = createTenantDb(db, provedor.id);
  const instante = toDatabaseTime(agora);
  const hoje = instante.slice(0, 10);
  await tenant.from('app_tokens').where({ id }).whereNull('confirmado_em').update({ confirmado_em: instante });
  if (sessao.usadaEm < hoje) await tenant.from('app_sessoes').where('id', sessao.id).update({ usada_em: hoje });
}
