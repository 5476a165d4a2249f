import type { Knex } from 'knex';

const INDICE = 'clientes_guardado';

/**
 * Of a person whose data were erased: until when the law has something kept that goes next. Null where nothing is left to go. At the end of
 * the table, so that the server need not write it anew; the index is built while others read and write.
 */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('clientes', 'guardado_ate'))) {
    await knex.raw('ALTER TABLE clientes ADD COLUMN guardado_ate DATE NULL');
  }
  if (await temIndice(knex)) return;
  await knex.raw(
    `ALTER TABLE clientes ADD KEY ${INDICE} (guardado_ate, provedor_id, id), ALGORITHM=INPLACE, LOCK=NONE`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE clientes DROP KEY ${INDICE}, DROP COLUMN guardado_ate`);
}

async function temIndice(knex: Knex): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM clientes WHERE Key_name = ?', [INDICE]);
  return rows !== undefined && rows.length > 0;
}
