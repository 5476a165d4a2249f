import type { Knex } from 'knex';

/** What is due before a day and still stored as `pendente`, and unblocks whose time is over: few, however many others there are. */
const INDICES = [
  ['faturas', 'faturas_a_vencer', 'provedor_id, situacao, vencimento, id'],
  ['desbloqueios_confianca', 'desbloqueios_confianca_vencidos', 'encerrado_em, ate, provedor_id'],
] as const;

/** Indexes for the jobs that look for what has just come due. */
export async function up(knex: Knex): Promise<void> {
  // Built while others read and write. To begin and to end it waits for transactions that have read the table, such as an extract's, and
  // whoever comes meanwhile waits behind it: so it gives way soon (lock_wait_timeout of database.ts), and migrations.ts begins it again.
  for (const [tabela, indice, colunas] of INDICES) {
    if (await temIndice(knex, tabela, indice)) continue;
    await knex.raw(`ALTER TABLE ${tabela} ADD KEY ${indice} (${colunas}), ALGORITHM=INPLACE, LOCK=NONE`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [tabela, indice] of INDICES) await knex.raw(`ALTER TABLE ${tabela} DROP KEY ${indice}`);
}

async function temIndice(knex: Knex, tabela: string, indice: string): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM ?? WHERE Key_name = ?', [tabela, indice]);
  return rows !== undefined && rows.length > 0;
}
