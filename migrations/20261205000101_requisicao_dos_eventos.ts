import type { Knex } from 'knex';

/** Each statement is committed by itself, and each can be run again. */
export const config = { transaction: false };

/**
 * Id of the request in which an event was caused, and a line of the audit log written. Null where there was none, and in what processes of
 * the release before write. At the end of the tables, so that the server need not write them anew; the index is built while others read and
 * write.
 */
export async function up(knex: Knex): Promise<void> {
  for (const tabela of ['eventos', 'auditoria']) {
    if (await knex.schema.hasColumn(tabela, 'requisicao_id')) continue;
    await knex.raw(
      `ALTER TABLE ${tabela} ADD COLUMN requisicao_id VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NULL`,
    );
  }
  if (await temIndice(knex)) return;
  await knex.raw(
    'ALTER TABLE auditoria ADD KEY auditoria_requisicao (provedor_id, requisicao_id, id), ALGORITHM=INPLACE, LOCK=NONE',
  );
}

export async function down(knex: Knex): Promise<void> {
  if (await temIndice(knex)) await knex.raw('ALTER TABLE auditoria DROP KEY auditoria_requisicao');
  for (const tabela of ['auditoria', 'eventos']) await knex.raw(`ALTER TABLE ${tabela} DROP COLUMN requisicao_id`);
}

async function temIndice(knex: Knex): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>("SHOW INDEX FROM auditoria WHERE Key_name = 'auditoria_requisicao'");
  return rows !== undefined && rows.length > 0;
}
