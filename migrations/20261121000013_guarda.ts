import type { Knex } from 'knex';

/** Finds daily drops by their age alone, so that the old ones of every provider can go. */
export async function up(knex: Knex): Promise<void> {
  const [rows = []] = await knex.raw<unknown[][]>(
    "SHOW INDEX FROM quedas_diarias WHERE Key_name = 'quedas_diarias_idade'",
  );
  if (rows.length > 0) return;
  await knex.raw('ALTER TABLE quedas_diarias ADD KEY quedas_diarias_idade (dia)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE quedas_diarias DROP KEY quedas_diarias_idade');
}
