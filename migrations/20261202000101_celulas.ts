import type { Knex } from 'knex';

/** Providers that move between cells. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('provedores', 'mudanca')) return;
  // chegando: it is being copied here, and nobody reads it. chegou: all of it is here and may be read, and it will live here. saindo: it is only
  // read. foi: it lives in another cell, and what is here of it is old. Jobs leave alone whoever has any of these.
  await knex.raw(
    "ALTER TABLE provedores ADD COLUMN mudanca ENUM('chegando','chegou','saindo','foi') NULL, ALGORITHM=INSTANT",
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE provedores DROP COLUMN mudanca');
}
