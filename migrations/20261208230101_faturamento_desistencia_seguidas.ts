import type { Knex } from 'knex';

/** Whether what is given up of an order's undoing is so also where many invoices fail one after the other. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('faturamento_pedidos', 'mesmo_seguidas')) return;
  await knex.raw('ALTER TABLE faturamento_pedidos ADD COLUMN mesmo_seguidas TINYINT NOT NULL DEFAULT 0');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE faturamento_pedidos DROP COLUMN mesmo_seguidas');
}
