import type { Knex } from 'knex';

/**
 * What kind of actor a line of the audit log is of, and which: by its id, or a job by its name. Null in what processes of the version
 * before write, who know neither. At the end of the table, so that the server need not write it anew.
 */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('auditoria', 'ator_tipo')) return;
  await knex.raw(`
    ALTER TABLE auditoria
      ADD COLUMN ator_tipo VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ADD COLUMN ator_id BIGINT UNSIGNED NULL,
      ADD COLUMN ator_tarefa VARCHAR(60) CHARACTER SET ascii COLLATE ascii_bin NULL`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE auditoria DROP COLUMN ator_tarefa, DROP COLUMN ator_id, DROP COLUMN ator_tipo');
}
