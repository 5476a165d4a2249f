import type { Knex } from 'knex';

/** Columns at the ends of tables, which the server need not write anew. A process of the version before leaves them null. */
const COLUNAS: readonly (readonly [tabela: string, primeira: string, colunas: readonly string[]])[] = [
  // porta: of the newest session, where its server says how a port is named; it stays when the session ends.
  ['conexoes', 'porta', ['porta VARCHAR(32) NULL']],
  // The text at which a port's name ends in NAS-Port-Id; *: the whole of it is the name. Null: ports are not told apart.
  ['provedores_nas', 'porta_ate', ['porta_ate VARCHAR(16) NULL']],
  // How many lines, and how many of a hundred, drop together in an outage; null: as the program has it.
  [
    'provedores_rede',
    'queda_minimo',
    ['queda_minimo SMALLINT UNSIGNED NULL', 'queda_percentual TINYINT UNSIGNED NULL'],
  ],
  // A port of the server that `texto` names; null: all of it.
  ['avisos_de_rede_alvos', 'porta', ['porta VARCHAR(32) NULL']],
  [
    'avisos_de_rede',
    'detectado_nas',
    [
      // Of those that were detected: where, the first and the last of the drops by the server's clock, and how many lines were down at most.
      'detectado_nas VARCHAR(15) NULL',
      'detectado_porta VARCHAR(32) NULL',
      'detectado_de DATETIME(3) NULL',
      'detectado_ate DATETIME(3) NULL',
      'detectado_quedas INT UNSIGNED NULL',
      // Since when it is the staff's: it does not close by itself any more.
      'confirmado_em DATETIME(3) NULL',
    ],
  ],
];

const INDICES: readonly (readonly [tabela: string, indice: string, colunas: string])[] = [
  ['avisos_de_rede', 'avisos_de_rede_detectados', '(origem, fim)'],
  ['avisos_de_rede', 'avisos_de_rede_do_nas', '(provedor_id, detectado_nas, detectado_ate)'],
];

/** What outages are detected by: drops of each server by the minute, and where the notices that come of them say so. */
export async function up(knex: Knex): Promise<void> {
  // minuto: by the server's clock. avaliadas: how many of the drops were looked at. No foreign key, for the reason that rede_horas has none.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS rede_quedas (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      nas          VARCHAR(15) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      minuto       DATETIME NOT NULL,
      quedas       INT UNSIGNED NOT NULL,
      avaliadas    INT UNSIGNED NOT NULL DEFAULT 0,
      por_avaliar  TINYINT GENERATED ALWAYS AS (IF(quedas > avaliadas, 1, 0)) VIRTUAL,
      vista_em     DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, nas, minuto),
      KEY rede_quedas_por_avaliar (por_avaliar, provedor_id, nas, minuto),
      KEY rede_quedas_idade (vista_em)
    ) ENGINE=InnoDB`);
  for (const [tabela, primeira, colunas] of COLUNAS) {
    if (await knex.schema.hasColumn(tabela, primeira)) continue;
    await knex.raw(`ALTER TABLE ${tabela} ${colunas.map((coluna) => `ADD COLUMN ${coluna}`).join(', ')}`);
  }
  for (const [tabela, indice, colunas] of INDICES) {
    if (await temIndice(knex, tabela, indice)) continue;
    await knex.raw(`ALTER TABLE ${tabela} ADD KEY ${indice} ${colunas}, ALGORITHM=INPLACE, LOCK=NONE`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [tabela, indice] of INDICES) {
    if (await temIndice(knex, tabela, indice)) await knex.raw(`ALTER TABLE ${tabela} DROP KEY ${indice}`);
  }
  for (const [tabela, , colunas] of COLUNAS) {
    const nomes = colunas.map((coluna) => `DROP COLUMN ${coluna.split(' ')[0]}`).toReversed();
    await knex.raw(`ALTER TABLE ${tabela} ${nomes.join(', ')}`);
  }
  await knex.schema.dropTableIfExists('rede_quedas');
}

async function temIndice(knex: Knex, tabela: string, indice: string): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM ?? WHERE Key_name = ?', [tabela, indice]);
  return rows !== undefined && rows.length > 0;
}
