import type { Knex } from 'knex';

/**
 * One row: since when sessions of this cell are heard of without a gap, and until when that is known. Staff are told of no silent server while
 * it may have been FreeRADIUS, or the database, that was away.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS rede_escuta (
      id     TINYINT UNSIGNED NOT NULL,
      desde  DATETIME(3) NOT NULL,
      ate    DATETIME(3) NOT NULL,
      PRIMARY KEY (id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('rede_escuta');
}
