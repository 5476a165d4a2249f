import type { Knex } from 'knex';

/** Origins of the provider's own web app, whose pages may call `/v1` from a browser: a list of texts, null for none. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('provedores', 'app_origens')) return;
  await knex.raw('ALTER TABLE provedores ADD COLUMN app_origens JSON NULL');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE provedores DROP COLUMN app_origens');
}
