import type { Knex } from 'knex';

/** Providers that move between cells. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('provedores', 'mudanca')) return;
  // chegando: it is being copied here. saindo: it is only read. foi: it lives in another cell, and what is here of it is old.
  await knex.raw("ALTER TABLE provedores ADD COLUMN mudanca ENUM('chegando','saindo','foi') NULL, ALGORITHM=INSTANT");
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE provedores DROP COLUMN mudanca');
}
