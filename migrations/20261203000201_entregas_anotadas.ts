import type { Knex } from 'knex';

/** How staff say that a notice of the ladder was delivered: on paper with the invoice, by phone. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('regua_passos', 'entrega_como')) return;
  await knex.raw('ALTER TABLE regua_passos ADD COLUMN entrega_como VARCHAR(200) NULL');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE regua_passos DROP COLUMN entrega_como');
}
