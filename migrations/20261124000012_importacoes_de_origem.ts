import type { Knex } from 'knex';

/** Of each index, the columns after the provider's. */
const INDICES = {
  importacao_linhas_login: 'login_de_origem',
  importacao_linhas_cliente: 'cliente_id',
  importacao_linhas_contrato: 'contrato_id',
} as const;

/**
 * By what a line was known where it comes from. `login_de_origem` is a digest: of an ex-customer's login nothing else is to be known than
 * whether an invoice names it. `contrato_de_origem` is the contract that the line made, once another holder's contract has its access.
 */
export async function up(knex: Knex): Promise<void> {
  const colunas = { login_de_origem: 'BINARY(16) NULL', contrato_de_origem: 'BIGINT UNSIGNED NULL' };
  for (const [coluna, tipo] of Object.entries(colunas)) {
    if (await knex.schema.hasColumn('importacao_linhas', coluna)) continue;
    await knex.raw(`ALTER TABLE importacao_linhas ADD COLUMN ${coluna} ${tipo}`);
  }
  // What FreeRADIUS takes for a password may be longer than what is typed.
  await knex.raw('ALTER TABLE importacao_senhas MODIFY senha VARBINARY(1024) NOT NULL');
  for (const [indice, coluna] of Object.entries(INDICES)) {
    const [ha = []] = await knex.raw<object[][]>('SHOW INDEX FROM importacao_linhas WHERE Key_name = ?', [indice]);
    if (ha.length > 0) continue;
    await knex.raw(`ALTER TABLE importacao_linhas ADD KEY ${indice} (provedor_id, ${coluna})`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const indice of Object.keys(INDICES)) await knex.raw(`ALTER TABLE importacao_linhas DROP KEY ${indice}`);
  await knex.raw('ALTER TABLE importacao_linhas DROP COLUMN login_de_origem, DROP COLUMN contrato_de_origem');
}
