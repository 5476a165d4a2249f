import type { Db } from '../../src/platform/mysql/database.ts';
import type { BenchContext } from '../support/bench.ts';
import { PANEL_HOST, PROVIDER_ID, generate, insertRows, openGenerated, withoutTriggers } from './dataset.ts';
import type { Dataset } from './dataset.ts';
import { PLANOS, ROWS_VERSION, TABLES } from './rows.ts';

export { PROVIDER_ID };

/** Where the integrators of a provider send their requests. */
export const hostOf = (provedorId: number): string =>
  provedorId === PROVIDER_ID ? PANEL_HOST : `p${provedorId}.malha.test`;

/** One provider of so many clients, and so many providers of one client each: provider `PROVIDER_ID + n` has the CPF of client `n`. */
export async function openTenants(context: BenchContext, tenants: number): Promise<Dataset> {
  return openGenerated(context, `bench_provedores_${tenants}_v${ROWS_VERSION}`, async (db) => {
    const begun = performance.now();
    await generate(db, tenants, () => {});
    await insertTenants(db, tenants);
    context.log(`${tenants} provedores gerados em ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  });
}

async function insertTenants(db: Db, tenants: number): Promise<void> {
  await withoutTriggers(db, async () => {
    await insertRows(db, 'provedores', tenants, (n) => [
      { id: PROVIDER_ID + n, nome: `Provedor ${n}`, panel_host: hostOf(PROVIDER_ID + n) },
    ]);
    await insertRows(db, 'regras_cobranca', tenants, (n) => [{ provedor_id: PROVIDER_ID + n }]);
    await insertRows(db, 'planos', tenants, (n) =>
      PLANOS.map((plano) => ({ provedor_id: PROVIDER_ID + n, ...plano, id: PLANOS.length * n + plano.id })),
    );
    // Ids are one count for all providers.
    const moved = (n: number) => (row: Readonly<Record<string, string | number | null>>) => ({
      ...row,
      provedor_id: PROVIDER_ID + n,
      ...('id' in row ? { id: tenants + n } : {}),
      ...('cliente_id' in row ? { cliente_id: tenants + n } : {}),
      ...('contrato_id' in row ? { contrato_id: tenants + n } : {}),
      ...('login' in row ? { login: `provedor${n}` } : {}),
      ...('plano_id' in row ? { plano_id: PLANOS.length * n + Number(row['plano_id']) } : {}),
    });
    for (const { table, rowsOf } of TABLES) await insertRows(db, table, tenants, (n) => rowsOf(n).map(moved(n)));
    await db.raw(
      'INSERT INTO clientes_alteracoes SELECT provedor_id, id, criado_em FROM clientes WHERE provedor_id > ?',
      [PROVIDER_ID],
    );
  });
  for (const { table } of TABLES) await db.raw('ANALYZE TABLE ??', [table]);
}
