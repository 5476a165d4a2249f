import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS } from '../../platform/mysql/tenant.ts';

const DE_QUEM = columns<{ provedor_id: number }>('planos_alteracoes', { provedor_id: true });

/** Providers that changed plans of which contracts have yet to be told. Crosses tenants, by name and on purpose. */
export async function provedoresComAlteracoes(db: Db): Promise<number[]> {
  const rows = await rowsOf(db('planos_alteracoes').distinct().timeout(READ_TIMEOUT_MS), DE_QUEM);
  return rows.map(({ provedor_id }) => provedor_id);
}
