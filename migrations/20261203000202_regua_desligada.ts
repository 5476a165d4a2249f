import type { Knex } from 'knex';

/** When a ladder was switched off, and since when it had been on: switched on again on that day, it goes on as if it had never been off. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('reguas', 'desligada_em')) return;
  await knex.raw('ALTER TABLE reguas ADD COLUMN desligada_em DATE NULL, ADD COLUMN ativa_antes DATE NULL');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE reguas DROP COLUMN desligada_em, DROP COLUMN ativa_antes');
}
