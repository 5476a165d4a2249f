import type { Knex } from 'knex';

const INDICE = 'chamados_responsavel_abertura';

/** Tickets in the app: who wrote an entry of the history, and the staff's lists, newest first. */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('chamados_historico', 'autor_tipo'))) {
    // Null in rows of the version before, of which usuario_id says whether they are the staff's.
    await knex.raw("ALTER TABLE chamados_historico ADD COLUMN autor_tipo ENUM('cliente','equipe','sistema') NULL");
  }
  if (await temIndice(knex)) return;
  await knex.raw(`
    ALTER TABLE chamados ADD KEY ${INDICE} (provedor_id, responsavel_id, aberto_em, id, situacao),
      ALGORITHM=INPLACE, LOCK=NONE`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE chamados DROP KEY ${INDICE}`);
  await knex.raw('ALTER TABLE chamados_historico DROP COLUMN autor_tipo');
}

async function temIndice(knex: Knex): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM chamados WHERE Key_name = ?', [INDICE]);
  return rows !== undefined && rows.length > 0;
}
