import type { Knex } from 'knex';

/** Each statement is committed by itself, and each can be run again. */
export const config = { transaction: false };

/**
 * A run that is being taken back part by part. `desfazendo`: null but while it is; its contracts are charged nothing meanwhile. `desfeita`:
 * a charge whose invoice was cancelled by that. Of an order to undo, `mes` is the day of the run, and
 * `faturamento_id` the run: several of one day can be undone at a time. Of all others it is 0 and not NULL, which their key would not hold.
 * `andou_em`: when its worker last did something.
 * The key of a run's invoices does not begin as its foreign key does: MySQL would not check that one where an invoice is NULL.
 */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('faturamentos', 'desfazendo'))) {
    await knex.raw(`
      ALTER TABLE faturamentos
        ADD COLUMN desfazendo TINYINT(1) NULL,
        ADD KEY faturamentos_desfazendo (desfazendo, provedor_id)`);
  }
  if (!(await knex.schema.hasColumn('faturamento_cobrancas', 'desfeita'))) {
    await knex.raw(`
      ALTER TABLE faturamento_cobrancas
        ADD COLUMN desfeita TINYINT(1) NOT NULL DEFAULT 0,
        ADD KEY faturamento_cobrancas_faturas_da_vez (faturamento_id, provedor_id, fatura_id)`);
  }
  await knex.raw("ALTER TABLE faturamento_pedidos MODIFY COLUMN tipo ENUM('previa','faturas','desfazer') NOT NULL");
  if (!(await knex.schema.hasColumn('faturamento_pedidos', 'andou_em'))) {
    await knex.raw(`
      ALTER TABLE faturamento_pedidos
        ADD COLUMN faturamento_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
        ADD COLUMN andou_em DATETIME(3) NULL,
        DROP KEY faturamento_pedidos_um,
        ADD UNIQUE KEY faturamento_pedidos_um (provedor_id, aberto, tipo, mes, faturamento_id),
        ADD KEY faturamento_pedidos_abertos (aberto, provedor_id)`);
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("DELETE FROM faturamento_pedidos WHERE tipo = 'desfazer'");
  await knex.raw(`
    ALTER TABLE faturamento_pedidos
      DROP KEY faturamento_pedidos_abertos,
      DROP KEY faturamento_pedidos_um,
      ADD UNIQUE KEY faturamento_pedidos_um (provedor_id, aberto, tipo, mes),
      DROP COLUMN faturamento_id,
      DROP COLUMN andou_em`);
  await knex.raw("ALTER TABLE faturamento_pedidos MODIFY COLUMN tipo ENUM('previa','faturas') NOT NULL");
  await knex.raw(
    'ALTER TABLE faturamento_cobrancas DROP KEY faturamento_cobrancas_faturas_da_vez, DROP COLUMN desfeita',
  );
  await knex.raw('ALTER TABLE faturamentos DROP KEY faturamentos_desfazendo, DROP COLUMN desfazendo');
}
