import type { Knex } from 'knex';

/**
 * An invoice of a carnê is one of its slips, so it has that slip's number.
 *
 * It is also what makes `faturas_carne` hold on MySQL 9.7, which checks foreign keys above the engine: there a row is
 * not checked when any column of the index that serves the key is NULL, those after the key's own too.
 */
export async function up(knex: Knex): Promise<void> {
  if (await existe(knex)) return;
  await knex.raw(
    'ALTER TABLE faturas ADD CONSTRAINT faturas_parcela_do_carne CHECK (carne_id IS NULL OR parcela IS NOT NULL)',
  );
}

export async function down(knex: Knex): Promise<void> {
  if (await existe(knex)) await knex.raw('ALTER TABLE faturas DROP CONSTRAINT faturas_parcela_do_carne');
}

async function existe(knex: Knex): Promise<boolean> {
  const [linhas] = await knex.raw<unknown[][]>(
    `SELECT 1 FROM information_schema.TABLE_CONSTRAINTS
      WHERE CONSTRAINT_SCHEMA = DATABASE() AND CONSTRAINT_NAME = 'faturas_parcela_do_carne'`,
  );
  return (linhas ?? []).length > 0;
}
