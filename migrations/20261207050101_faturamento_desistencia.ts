import type { Knex } from 'knex';

/** Who has given up what of an order's undoing cannot be undone. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('faturamento_pedidos', 'desistido_por')) return;
  await knex.raw('ALTER TABLE faturamento_pedidos ADD COLUMN desistido_por VARCHAR(120) NULL');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE faturamento_pedidos DROP COLUMN desistido_por');
}
