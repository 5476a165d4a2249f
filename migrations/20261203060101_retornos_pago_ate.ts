import type { Knex } from 'knex';

/** Each statement is committed by itself, and each can be run again. */
export const config = { transaction: false };

/** The newest day of the payments that a bank's file told of, as far as it was applied; null where it told of none. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('retornos', 'pago_ate')) return;
  await knex.raw('ALTER TABLE retornos ADD COLUMN pago_ate DATE NULL');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE retornos DROP COLUMN pago_ate');
}
