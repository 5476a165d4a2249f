import type { Knex } from 'knex';

/**
 * Who does alone what only one may do at a time, until when, and as the how manieth. It is there before the first migration, which needs it
 * (src/platform/mysql/schema/lease.ts); here it is made where somebody went back to before it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS arrendamentos (
      nome     VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      ficha    BIGINT UNSIGNED NOT NULL,
      portador VARCHAR(200) NOT NULL,
      vence_em DATETIME(3) NOT NULL,
      PRIMARY KEY (nome)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('arrendamentos');
}
