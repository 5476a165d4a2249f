import type { Knex } from 'knex';

/** What a surplus becomes by itself; where nothing was said, it is left, as before. */
const REGRA = ['regras_cobranca', 'excedente_vira_credito', 'TINYINT(1) NOT NULL DEFAULT 0'] as const;

/** By which invoices are proposed for money that came without one: a boleto's nosso número, and what open ones ask for. */
const INDICES = [
  ['faturas', 'faturas_nosso_numero', 'provedor_id, nosso_numero'],
  ['faturas', 'faturas_valor', 'provedor_id, grupo, valor, vencimento'],
] as const;

export async function up(knex: Knex): Promise<void> {
  const [tabela, coluna, tipo] = REGRA;
  if (!(await knex.schema.hasColumn(tabela, coluna))) {
    await knex.raw(`ALTER TABLE ${tabela} ADD COLUMN ${coluna} ${tipo}`);
  }
  for (const [de, indice, colunas] of INDICES) {
    const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM ?? WHERE Key_name = ?', [de, indice]);
    if (rows !== undefined && rows.length > 0) continue;
    await knex.raw(`ALTER TABLE ${de} ADD KEY ${indice} (${colunas}), ALGORITHM=INPLACE, LOCK=NONE`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [tabela, indice] of INDICES) await knex.raw(`ALTER TABLE ${tabela} DROP KEY ${indice}`);
  await knex.raw(`ALTER TABLE ${REGRA[0]} DROP COLUMN ${REGRA[1]}`);
}
