import type { Knex } from 'knex';

/**
 * Why the last drop of a contract's line happened. Null of what was counted before, until the line drops again; a process of the version
 * before leaves what stands there.
 */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('conexoes', 'queda_causa')) return;
  await knex.raw('ALTER TABLE conexoes ADD COLUMN queda_causa VARCHAR(32) NULL');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE conexoes DROP COLUMN queda_causa');
}
