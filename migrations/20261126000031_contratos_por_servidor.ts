import type { Knex } from 'knex';

/** Contracts by the server of their newest session, in the order of a list. Built while others read and write; see 20261122000004. */
export async function up(knex: Knex): Promise<void> {
  if (await temIndice(knex)) return;
  await knex.raw(
    'ALTER TABLE conexoes ADD KEY conexoes_servidor (provedor_id, nas, contrato_id), ALGORITHM=INPLACE, LOCK=NONE',
  );
}

export async function down(knex: Knex): Promise<void> {
  if (await temIndice(knex)) await knex.raw('ALTER TABLE conexoes DROP KEY conexoes_servidor');
}

async function temIndice(knex: Knex): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM conexoes WHERE Key_name = ?', ['conexoes_servidor']);
  return rows !== undefined && rows.length > 0;
}
