import type { Knex } from 'knex';

/**
 * Since when, and why, people let a provider's notes wait, and an index by which the cancellations of a month are found. A process of the
 * version before does not know of the pause, and goes on sending.
 */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('nfcom_filas', 'pausada_em'))) {
    await knex.raw(`
      ALTER TABLE nfcom_filas
        ADD COLUMN pausada_em DATETIME(3) NULL,
        ADD COLUMN pausada_porque VARCHAR(200) NULL`);
  }
  const [ha = []] = await knex.raw<object[][]>('SHOW INDEX FROM nfcom WHERE Key_name = ?', ['nfcom_cancelamento']);
  if (ha.length === 0) await knex.raw('ALTER TABLE nfcom ADD KEY nfcom_cancelamento (provedor_id, cancelada_em, id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE nfcom DROP KEY nfcom_cancelamento');
  await knex.raw('ALTER TABLE nfcom_filas DROP COLUMN pausada_em, DROP COLUMN pausada_porque');
}
