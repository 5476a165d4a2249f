import type { Knex } from 'knex';

/**
 * Of a line of the audit log whose author is a subscriber: the client that he is. Null in all others, and in what processes of the release
 * before write, whose subscribers are told by `ator_tipo` and `ator_id`. At the end of the table, so that the server need not write it anew.
 */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('auditoria', 'cliente_id')) return;
  await knex.raw('ALTER TABLE auditoria ADD COLUMN cliente_id BIGINT UNSIGNED NULL');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE auditoria DROP COLUMN cliente_id');
}
