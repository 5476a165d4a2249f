import type { Knex } from 'knex';

const COLUNAS = ['publicado_em', 'provedor_id', 'id'];

/**
 * Finds what waits in the outbox provider by provider, so that one with a million events holds up no other. The index keeps its name:
 * processes of the version before name it.
 */
export async function up(knex: Knex): Promise<void> {
  await definir(knex, COLUNAS);
}

export async function down(knex: Knex): Promise<void> {
  await definir(knex, ['publicado_em', 'id']);
}

async function definir(knex: Knex, colunas: readonly string[]): Promise<void> {
  const [rows = []] = await knex.raw<{ Column_name: string }[][]>(
    "SHOW INDEX FROM eventos WHERE Key_name = 'eventos_a_publicar'",
  );
  if (rows.map(({ Column_name }) => Column_name).join() === colunas.join()) return;
  await knex.raw(`ALTER TABLE eventos DROP KEY eventos_a_publicar, ADD KEY eventos_a_publicar (${colunas.join(', ')})`);
}
