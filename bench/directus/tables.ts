import type { Db } from '../../src/platform/mysql/database.ts';

/** The tables whose rows the pages show, those that others refer to first. */
export const COLLECTIONS = ['planos', 'clientes', 'clientes_telefones', 'contratos', 'faturas'] as const;

/** What a nested read follows; each is a foreign key, as Directus makes them. */
export const RELATIONS = [
  { collection: 'clientes_telefones', field: 'cliente_id', related: 'clientes', alias: 'telefones' },
  { collection: 'contratos', field: 'cliente_id', related: 'clientes', alias: 'contratos' },
  { collection: 'contratos', field: 'plano_id', related: 'planos', alias: 'contratos' },
] as const;

/**
 * Copies the tables into Directus's own database on the same server. Directus ignores a table whose primary key has two columns, and
 * views, so there `id` alone is the primary key and `(provedor_id, id)` an index; columns and all other indexes are the same.
 *
 * @param db one connection, for it is given a session's settings.
 */
export async function copyTables(db: Db, from: string, to: string): Promise<void> {
  await db.raw('SET SESSION unique_checks = 0, foreign_key_checks = 0');
  for (const table of COLLECTIONS) {
    await db.raw('CREATE TABLE ??.?? LIKE ??.??', [to, table, from, table]);
    await db.raw(
      'ALTER TABLE ??.?? DROP PRIMARY KEY, DROP KEY ??, ADD PRIMARY KEY (id), ADD KEY ?? (provedor_id, id)',
      [to, table, `${table}_id`, `${table}_provedor`],
    );
    const columns = await stored(db, from, table);
    const names = columns.map(() => '??').join(', ');
    await db.raw(`INSERT INTO ??.?? (${names}) SELECT ${names} FROM ??.?? ORDER BY id`, [
      to,
      table,
      ...columns,
      ...columns,
      from,
      table,
    ]);
    await db.raw('ANALYZE TABLE ??.??', [to, table]);
  }
  await db.raw('SET SESSION unique_checks = 1, foreign_key_checks = 1');
}

/** Columns that are written, not generated. */
async function stored(db: Db, schema: string, table: string): Promise<string[]> {
  const rows = await db('information_schema.columns')
    .where({ table_schema: schema, table_name: table })
    .whereRaw("COALESCE(generation_expression, '') = ''")
    .orderBy('ordinal_position')
    .select<{ name: string }[]>({ name: 'column_name' });
  return rows.map(({ name }) => name);
}
