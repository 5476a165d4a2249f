import type { Knex } from 'knex';

/** How often in a row an order of billing has failed, when and why it did last, and before when it is not tried again. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('faturamento_pedidos', 'falhas')) return;
  await knex.raw(`
    ALTER TABLE faturamento_pedidos
      ADD COLUMN falhas INT UNSIGNED NOT NULL DEFAULT 0,
      ADD COLUMN falhou_em DATETIME(3) NULL,
      ADD COLUMN erro VARCHAR(300) NULL,
      ADD COLUMN proxima_em DATETIME(3) NULL`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE faturamento_pedidos
      DROP COLUMN falhas, DROP COLUMN falhou_em, DROP COLUMN erro, DROP COLUMN proxima_em`);
}
