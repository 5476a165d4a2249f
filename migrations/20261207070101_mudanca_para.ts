import type { Knex } from 'knex';

/** Of a provider that leaves a cell: where it goes, and what is still to be taken along once it is there. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('provedores', 'mudanca_para')) return;
  // mudanca_para: the other cell's database as an operator names it, without a login; null where nobody said it. mudanca_desde: since when it
  // is only read, until who saw whose data since then is in the other cell too.
  await knex.raw(
    `ALTER TABLE provedores ADD COLUMN mudanca_para VARCHAR(400) NULL, ADD COLUMN mudanca_desde DATETIME(3) NULL,
       ALGORITHM=INSTANT`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE provedores DROP COLUMN mudanca_para, DROP COLUMN mudanca_desde');
}
