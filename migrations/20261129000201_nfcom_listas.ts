import type { Knex } from 'knex';

// When a note is looked for: when it was issued or, as long as it is not signed, when it was asked for.
const COLUNA = 'referida_em DATETIME(3) AS (COALESCE(emitida_em, pedida_em)) VIRTUAL';

const INDICES: Readonly<Record<string, string>> = {
  nfcom_referida: 'KEY nfcom_referida (provedor_id, referida_em, id)',
  nfcom_situacao_referida: 'KEY nfcom_situacao_referida (provedor_id, situacao, referida_em, id)',
};

/** What profiles that come made gain where the provider has changed them; those that nobody changed follow the program. */
const DOS_PERFIS: readonly (readonly [nova: string, deQuemTem: string, perfis: readonly string[]])[] = [
  ['nfcom.ver', 'faturas.ver', ['financeiro', 'atendimento']],
  ['nfcom.emitir', 'faturas.criar', ['financeiro']],
];

/** Lists of fiscal notes by day and state, and who may see and issue them. A provider's own profiles stay as they are. */
export async function up(knex: Knex): Promise<void> {
  const faltam: string[] = [];
  if (!(await knex.schema.hasColumn('nfcom', 'referida_em'))) faltam.push(`ADD COLUMN ${COLUNA}`);
  for (const [nome, indice] of Object.entries(INDICES)) {
    const [ha = []] = await knex.raw<object[][]>('SHOW INDEX FROM nfcom WHERE Key_name = ?', [nome]);
    if (ha.length === 0) faltam.push(`ADD ${indice}`);
  }
  if (faltam.length > 0) await knex.raw(`ALTER TABLE nfcom ${faltam.join(', ')}`);
  for (const [nova, deQuemTem, perfis] of DOS_PERFIS) {
    await knex.raw(
      `UPDATE perfis SET permissoes = JSON_ARRAY_APPEND(permissoes, '$', ?)
        WHERE de_fabrica IN (${perfis.map(() => '?').join(', ')}) AND permissoes IS NOT NULL
          AND JSON_CONTAINS(permissoes, ?) AND NOT JSON_CONTAINS(permissoes, ?)`,
      [nova, ...perfis, JSON.stringify(deQuemTem), JSON.stringify(nova)],
    );
  }
}

export async function down(knex: Knex): Promise<void> {
  const indices = Object.keys(INDICES).map((indice) => `DROP KEY ${indice}`);
  await knex.raw(`ALTER TABLE nfcom ${indices.join(', ')}, DROP COLUMN referida_em`);
}
