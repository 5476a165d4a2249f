import type { Knex } from 'knex';

/** Whether subscribers may change their own contacts and address by the app. They may unless the provider says otherwise. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('provedores', 'app_edita_cadastro')) return;
  await knex.raw('ALTER TABLE provedores ADD COLUMN app_edita_cadastro TINYINT(1) NOT NULL DEFAULT 1');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE provedores DROP COLUMN app_edita_cadastro');
}
