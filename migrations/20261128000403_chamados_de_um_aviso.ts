import type { Knex } from 'knex';

const INDICE = 'chamados_desde';

/** Tickets that were opened since a notice of the network began, the open ones apart from the others. */
export async function up(knex: Knex): Promise<void> {
  const [achados] = await knex.raw<unknown[][]>('SHOW INDEX FROM chamados WHERE Key_name = ?', [INDICE]);
  if ((achados ?? []).length > 0) return;
  await knex.raw(
    `ALTER TABLE chamados ADD KEY ${INDICE} (provedor_id, em_aberto, aberto_em, id), ALGORITHM=INPLACE, LOCK=NONE`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE chamados DROP KEY ${INDICE}`);
}
