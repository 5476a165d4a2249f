import type { Knex } from 'knex';

/** Each statement is committed by itself, and each can be run again. */
export const config = { transaction: false };

/** When a PSP that was asked for a PIX by its id did not have it, and an index for what was told since an instant. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('pix_recebidos', 'fora_da_lista_em')) return;
  await knex.raw(`
    ALTER TABLE pix_recebidos
      ADD COLUMN fora_da_lista_em DATETIME(3) NULL,
      ADD KEY pix_recebidos_chegada (provedor_id, criado_em, id)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE pix_recebidos DROP KEY pix_recebidos_chegada, DROP COLUMN fora_da_lista_em');
}
