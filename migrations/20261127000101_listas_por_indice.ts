import type { Knex } from 'knex';

/** Each statement is committed by itself, and each can be run again. */
export const config = { transaction: false };

/** Built while others read and write; see 20261122000004. */
const INDICES: readonly (readonly [tabela: string, indice: string, colunas: string])[] = [
  // Lines by whether they are online, which a record says by these two alone.
  ['conexoes', 'conexoes_vivas', 'provedor_id, parada_em, ouvida_em'],
  // In the order of the list's ids, as the one of the plan's states is not.
  ['contratos', 'contratos_de_plano', 'provedor_id, plano_id, id'],
  ['faturas', 'faturas_tipo', 'provedor_id, tipo, id'],
];

/**
 * Indexes by which no filter of the lists of staff walks all rows of a provider. `contratos_plano_situacao` and `contratos_cobertos` are of no
 * more use, but the release before names them: the next migration may drop them.
 */
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
