import type { Knex } from 'knex';

/** Finds the lines of a provider that dropped most of late, by the index alone. */
export async function up(knex: Knex): Promise<void> {
  const [rows = []] = await knex.raw<unknown[][]>(
    "SHOW INDEX FROM quedas_diarias WHERE Key_name = 'quedas_diarias_dia'",
  );
  if (rows.length > 0) return;
  await knex.raw(
    'ALTER TABLE quedas_diarias ADD KEY quedas_diarias_dia (provedor_id, dia, contrato_id, quedas), ALGORITHM=INPLACE, LOCK=NONE',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE quedas_diarias DROP KEY quedas_diarias_dia');
}
