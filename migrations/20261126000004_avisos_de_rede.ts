import type { Knex } from 'knex';

/** Columns at the ends of tables, which the server need not write anew. A process of the version before leaves them null. */
const COLUNAS: readonly (readonly [tabela: string, primeira: string, colunas: readonly string[]])[] = [
  [
    'conexoes',
    'nas',
    [
      // Address of the server of the newest session, which stays when it ends; and what of it was counted already.
      'nas VARCHAR(15) NULL',
      'sessao BIGINT NULL',
      'sessao_desde DATETIME(3) NULL',
      'download_bytes BIGINT UNSIGNED NULL',
      'upload_bytes BIGINT UNSIGNED NULL',
      // The last drop that was counted, and where; it never goes back.
      'queda_em DATETIME(3) NULL',
      'queda_nas VARCHAR(15) NULL',
      // Of itself, so that what a process of the version before writes is counted, too.
      'aberta TINYINT GENERATED ALWAYS AS (IF(ouvida_em IS NULL, 0, 1)) VIRTUAL',
    ],
  ],
  ['provedores_nas', 'pop_id', ['pop_id BIGINT UNSIGNED NULL']],
];

/** Built while others read and write; see 20261122000004. */
const INDICES: readonly (readonly [tabela: string, indice: string, colunas: string])[] = [
  ['conexoes', 'conexoes_nas', '(provedor_id, nas, aberta)'],
  ['conexoes', 'conexoes_queda', '(provedor_id, queda_em, queda_nas)'],
  ['contratos', 'contratos_cobertos', '(provedor_id, situacao, cliente_id)'],
  ['contratos', 'contratos_do_plano', '(provedor_id, plano_id, situacao, cliente_id)'],
  ['contratos', 'contratos_lugar', '(provedor_id, cidade, bairro, situacao, cliente_id)'],
  ['provedores_nas', 'provedores_nas_pop', '(provedor_id, pop_id)'],
];

/**
 * Where the network's servers stand, notices of what happens with it, the server of each connection, and what each server had by the hour.
 * The server of a connection that is there already comes with the next recomputing of its contract.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS pops (
      provedor_id    BIGINT UNSIGNED NOT NULL,
      id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      nome           VARCHAR(80) NOT NULL,
      cidade         VARCHAR(80) NOT NULL,
      uf             CHAR(2) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      endereco       VARCHAR(200) NULL,
      latitude       DECIMAL(9,6) NULL,
      longitude      DECIMAL(9,6) NULL,
      criado_em      DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY pops_id (id),
      UNIQUE KEY pops_nome (provedor_id, nome),
      CONSTRAINT pops_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);

  // fim: null while it is open, which is so of planned ones, too.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS avisos_de_rede (
      provedor_id    BIGINT UNSIGNED NOT NULL,
      id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      tipo           ENUM('interrupcao','degradacao','manutencao','informativo') NOT NULL,
      titulo         VARCHAR(120) NOT NULL,
      texto          VARCHAR(1000) NOT NULL,
      inicio         DATETIME(3) NOT NULL,
      previsao       DATETIME(3) NULL,
      fim            DATETIME(3) NULL,
      origem         ENUM('equipe','detectado') NOT NULL DEFAULT 'equipe',
      aberto_por     BIGINT UNSIGNED NULL,
      autor          VARCHAR(120) NULL,
      criado_em      DATETIME(3) NOT NULL,
      atualizado_em  DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY avisos_de_rede_id (id),
      KEY avisos_de_rede_abertos (provedor_id, fim, inicio),
      CONSTRAINT avisos_de_rede_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id),
      CONSTRAINT avisos_de_rede_usuario FOREIGN KEY (provedor_id, aberto_por) REFERENCES usuarios (provedor_id, id)
    ) ENGINE=InnoDB`);

  // alvo_id: of a POP or a plan. texto: a server's address, a city, or a district, whose city stands beside it.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS avisos_de_rede_alvos (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      aviso_id     BIGINT UNSIGNED NOT NULL,
      tipo         ENUM('nas','pop','plano','cidade','bairro','todos') NOT NULL,
      alvo_id      BIGINT UNSIGNED NULL,
      texto        VARCHAR(80) NULL,
      cidade       VARCHAR(80) NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY avisos_de_rede_alvos_id (id),
      KEY avisos_de_rede_alvos_aviso (provedor_id, aviso_id),
      KEY avisos_de_rede_alvos_alvo (provedor_id, tipo, alvo_id),
      CONSTRAINT avisos_de_rede_alvos_aviso FOREIGN KEY (provedor_id, aviso_id) REFERENCES avisos_de_rede (provedor_id, id)
    ) ENGINE=InnoDB`);

  // hora: UTC. online: as it was measured last. No foreign key: its check would hold the provider's row, for which writes would wait.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS rede_horas (
      provedor_id     BIGINT UNSIGNED NOT NULL,
      hora            DATETIME NOT NULL,
      nas             VARCHAR(15) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      quedas          INT UNSIGNED NOT NULL DEFAULT 0,
      online          INT UNSIGNED NULL,
      download_bytes  BIGINT UNSIGNED NOT NULL DEFAULT 0,
      upload_bytes    BIGINT UNSIGNED NOT NULL DEFAULT 0,
      PRIMARY KEY (provedor_id, hora, nas),
      KEY rede_horas_idade (hora)
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
  for (const tabela of ['rede_horas', 'avisos_de_rede_alvos', 'avisos_de_rede', 'pops']) {
    await knex.schema.dropTableIfExists(tabela);
  }
}

async function temIndice(knex: Knex, tabela: string, indice: string): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM ?? WHERE Key_name = ?', [tabela, indice]);
  return rows !== undefined && rows.length > 0;
}
