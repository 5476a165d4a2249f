import { readFile } from 'node:fs/promises';
import type { Knex } from 'knex';

const TABELAS = [
  'radacct',
  'radcheck',
  'radgroupcheck',
  'radgroupreply',
  'radreply',
  'radusergroup',
  'radpostauth',
  'nas',
  'nasreload',
];

/** FreeRADIUS 3.2's own MySQL schema, as it ships (`mods-config/sql/main/mysql/schema.sql`). */
export async function up(knex: Knex): Promise<void> {
  // The compiled migration runs from dist/migrations; the SQL file stays where it is read by people.
  const arquivo = new URL('../../migrations/freeradius/schema.sql', import.meta.url);
  const texto = (await readFile(arquivo, 'utf8')).replaceAll(/^#.*$/gm, '');
  for (const comando of texto.split(';')) {
    if (comando.trim() !== '') await knex.raw(comando);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const tabela of TABELAS) await knex.schema.dropTableIfExists(tabela);
}
