import type { Knex } from 'knex';

/** How many notes of a provider are with the authority at a time. A process of the version before sends one, and takes the queue for itself. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('nfcom_configuracoes', 'simultaneas')) return;
  await knex.raw('ALTER TABLE nfcom_configuracoes ADD COLUMN simultaneas TINYINT UNSIGNED NOT NULL DEFAULT 8');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE nfcom_configuracoes DROP COLUMN simultaneas');
}
