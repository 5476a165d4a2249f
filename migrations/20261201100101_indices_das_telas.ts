import type { Knex } from 'knex';

/** Each statement is committed by itself, and each can be run again. */
export const config = { transaction: false };

/** Built while others read and write. */
const INDICES: readonly (readonly [tabela: string, indice: string, colunas: string])[] = [
  // Whether an invoice was imported, which whoever issues fiscal notes asks of each.
  ['importacao_linhas', 'importacao_linhas_fatura', 'provedor_id, fatura_id, situacao'],
  // The audit log by a number, of whatever it may be.
  ['auditoria', 'auditoria_numero', 'provedor_id, recurso_id, id'],
];

/** Indexes without which two screens of the panel read all rows of a provider. */
export async function up(knex: Knex): Promise<void> {
  for (const [tabela, indice, colunas] of INDICES) {
    if (await temIndice(knex, tabela, indice)) continue;
    await knex.raw(`ALTER TABLE ${tabela} ADD KEY ${indice} (${colunas}), ALGORITHM=INPLACE, LOCK=NONE`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [tabela, indice] of INDICES) {
    if (await temIndice(knex, tabela, indice)) await knex.raw(`ALTER TABLE ${tabela} DROP KEY ${indice}`);
  }
}

async function temIndice(knex: Knex, tabela: string, indice: string): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM ?? WHERE Key_name = ?', [tabela, indice]);
  return rows !== undefined && rows.length > 0;
}
