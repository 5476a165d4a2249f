import type { Knex } from 'knex';

/** Foreign keys that were served only by keys with a column that may be null, each with a key that has none. */
const CHAVES: readonly (readonly [tabela: string, chave: string, coluna: string])[] = [
  ['usuarios_fatores', 'usuarios_fatores_do_usuario', 'usuario_id'],
  ['usuarios_convites', 'usuarios_convites_do_usuario', 'usuario_id'],
  ['painel_sessoes', 'painel_sessoes_do_usuario', 'usuario_id'],
  ['desbloqueios_confianca', 'desbloqueios_confianca_do_contrato', 'contrato_id'],
];

/**
 * MySQL from 9.6 on checks a foreign key by the first key that serves it, and by all of its columns: a row with a null in any of them is
 * not checked, and could point to another tenant's. Of several keys it takes a unique one without nulls first.
 */
export async function up(knex: Knex): Promise<void> {
  for (const [tabela, chave, coluna] of CHAVES) {
    if (await temIndice(knex, tabela, chave)) continue;
    await knex.raw(
      `ALTER TABLE ${tabela} ADD UNIQUE KEY ${chave} (provedor_id, ${coluna}, id), ALGORITHM=INPLACE, LOCK=NONE`,
    );
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [tabela, chave] of CHAVES) await knex.raw(`ALTER TABLE ${tabela} DROP KEY ${chave}`);
}

async function temIndice(knex: Knex, tabela: string, indice: string): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM ?? WHERE Key_name = ?', [tabela, indice]);
  return rows !== undefined && rows.length > 0;
}
