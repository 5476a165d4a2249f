import type { Knex } from 'knex';

/** Each statement is committed by itself, and each can be run again. */
export const config = { transaction: false };

/**
 * Of whose authority something was asked, so that the last questions of one are found however much is asked of the other or sent meanwhile.
 * What was asked before, and by processes of the version before, is of neither.
 */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('nfcom_tentativas', 'ambiente'))) {
    await knex.raw(`ALTER TABLE nfcom_tentativas ADD COLUMN ambiente ENUM('producao','homologacao') NULL`);
  }
  if (await temIndice(knex)) return;
  await knex.raw(`
    ALTER TABLE nfcom_tentativas ADD KEY nfcom_tentativas_ambiente (provedor_id, ambiente, operacao, id),
      ALGORITHM=INPLACE, LOCK=NONE`);
}

export async function down(knex: Knex): Promise<void> {
  if (await temIndice(knex)) await knex.raw('ALTER TABLE nfcom_tentativas DROP KEY nfcom_tentativas_ambiente');
  await knex.raw('ALTER TABLE nfcom_tentativas DROP COLUMN ambiente');
}

async function temIndice(knex: Knex): Promise<boolean> {
  const [rows = []] = await knex.raw<object[][]>('SHOW INDEX FROM nfcom_tentativas WHERE Key_name = ?', [
    'nfcom_tentativas_ambiente',
  ]);
  return rows.length > 0;
}
