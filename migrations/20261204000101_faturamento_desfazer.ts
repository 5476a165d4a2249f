import type { Knex } from 'knex';

/** Each statement is committed by itself, and each can be run again. */
export const config = { transaction: false };

/**
 * A run that is being taken back part by part. `desfazendo`: null but while it is; its contracts are charged nothing meanwhile. `desfeita`:
 * a charge whose invoice was cancelled by that. Of an order to undo, `mes` is the day of the run. `andou_em`: when its worker last did
 * something.
 */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('faturamentos', 'desfazendo'))) {
    await knex.raw(`
      ALTER TABLE faturamentos
        ADD COLUMN desfazendo TINYINT(1) NULL,
        ADD KEY faturamentos_desfazendo (provedor_id, desfazendo)`);
  }
  if (!(await knex.schema.hasColumn('faturamento_cobrancas', 'desfeita'))) {
    await knex.raw('ALTER TABLE faturamento_cobrancas ADD COLUMN desfeita TINYINT(1) NOT NULL DEFAULT 0');
  }
  await knex.raw("ALTER TABLE faturamento_pedidos MODIFY COLUMN tipo ENUM('previa','faturas','desfazer') NOT NULL");
  if (!(await knex.schema.hasColumn('faturamento_pedidos', 'andou_em'))) {
    await knex.raw(`
      ALTER TABLE faturamento_pedidos
        ADD COLUMN faturamento_id BIGINT UNSIGNED NULL,
        ADD COLUMN andou_em DATETIME(3) NULL`);
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("DELETE FROM faturamento_pedidos WHERE tipo = 'desfazer'");
  await knex.raw('ALTER TABLE faturamento_pedidos DROP COLUMN faturamento_id, DROP COLUMN andou_em');
  await knex.raw("ALTER TABLE faturamento_pedidos MODIFY COLUMN tipo ENUM('previa','faturas') NOT NULL");
  await knex.raw('ALTER TABLE faturamento_cobrancas DROP COLUMN desfeita');
  await knex.raw('ALTER TABLE faturamentos DROP KEY faturamentos_desfazendo, DROP COLUMN desfazendo');
}
