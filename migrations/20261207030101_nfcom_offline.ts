import type { Knex } from 'knex';

/** Each statement is committed by itself, and each can be run again. */
export const config = { transaction: false };

/** Built while others read and write: the few notes that were issued offline and are not authorised, which a page of the panel counts. */
export async function up(knex: Knex): Promise<void> {
  if (await temIndice(knex)) return;
  await knex.raw(
    'ALTER TABLE nfcom ADD KEY nfcom_offline (provedor_id, tipo_emissao, situacao, id), ALGORITHM=INPLACE, LOCK=NONE',
  );
}

export async function down(knex: Knex): Promise<void> {
  if (await temIndice(knex)) await knex.raw('ALTER TABLE nfcom DROP KEY nfcom_offline');
}

async function temIndice(knex: Knex): Promise<boolean> {
  const [rows = []] = await knex.raw<object[][]>('SHOW INDEX FROM nfcom WHERE Key_name = ?', ['nfcom_offline']);
  return rows.length > 0;
}
