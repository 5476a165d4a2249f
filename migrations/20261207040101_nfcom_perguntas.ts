import type { Knex } from 'knex';

/**
 * Until when nothing is asked of the authority for a provider, because it refuses whatever it is asked. A process of the version before does not
 * know of it, and has the notes themselves wait.
 */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('nfcom_filas', 'sem_perguntar_ate')) return;
  await knex.raw('ALTER TABLE nfcom_filas ADD COLUMN sem_perguntar_ate DATETIME(3) NULL');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE nfcom_filas DROP COLUMN sem_perguntar_ate');
}
