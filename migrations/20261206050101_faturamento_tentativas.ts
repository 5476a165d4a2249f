import type { Knex } from 'knex';

/** How many runs of an order of billing have begun since it last went on, failed, or was left in peace: more than one have died. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('faturamento_pedidos', 'tentativas')) return;
  await knex.raw('ALTER TABLE faturamento_pedidos ADD COLUMN tentativas INT UNSIGNED NOT NULL DEFAULT 0');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE faturamento_pedidos DROP COLUMN tentativas');
}
