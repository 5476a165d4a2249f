import type { Knex } from 'knex';

/** One row that the primary renews each second: how old it is on a replica says how far behind that one is. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS replica_batimento (
      id  TINYINT UNSIGNED NOT NULL,
      em  DATETIME(3) NOT NULL,
      PRIMARY KEY (id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('replica_batimento');
}
