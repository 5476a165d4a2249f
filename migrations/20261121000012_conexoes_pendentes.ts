import type { Knex } from 'knex';

/**
 * Contracts whose connection is to be recomputed. A row is also the right to recompute its contract: whoever holds it
 * is alone, and deletes it with what it wrote.
 *
 * No foreign key on purpose: its check would hold the contract's row, for which the API's own writes would wait.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS conexoes_pendentes (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      contrato_id  BIGINT UNSIGNED NOT NULL,
      PRIMARY KEY (provedor_id, contrato_id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('conexoes_pendentes');
}
