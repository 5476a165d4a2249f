import type { Knex } from 'knex';

/**
 * What of the outbox waits for whom, beside the cache, whose own mark is `publicado_em`. Without a foreign key to the event: deleting an
 * event would lock a gap here, and who writes would wait for the relay, which deletes thousands at a time.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS eventos_pendentes (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      consumidor   VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      evento_id    BIGINT UNSIGNED NOT NULL,
      PRIMARY KEY (provedor_id, consumidor, evento_id),
      KEY eventos_pendentes_fila (consumidor, provedor_id, evento_id),
      CONSTRAINT eventos_pendentes_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('eventos_pendentes');
}
