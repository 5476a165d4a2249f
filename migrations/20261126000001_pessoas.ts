import type { Knex } from 'knex';

/** Each statement is committed by itself, and each can be run again. */
export const config = { transaction: false };

/** The profiles that every provider begins with. What they may do is the program's to say until the provider changes it: null. */
const PERFIS = [
  ['administrador', 'Administrador'],
  ['financeiro', 'Financeiro'],
  ['atendimento', 'Atendimento'],
  ['tecnico', 'Técnico'],
] as const;

/** SQL of rows (de_fabrica, nome). */
const DE_FABRICA = PERFIS.map(([nome, dito]) => `SELECT '${nome}' AS de_fabrica, '${dito}' AS nome`).join(
  ' UNION ALL ',
);

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

const TABELAS: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS perfis (
    provedor_id  BIGINT UNSIGNED NOT NULL,
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    nome         VARCHAR(60) NOT NULL,
    permissoes   JSON NULL,
    de_fabrica   VARCHAR(20) ${ASCII} NULL,
    criado_em    DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY perfis_id (id),
    UNIQUE KEY perfis_nome (provedor_id, nome),
    UNIQUE KEY perfis_de_fabrica (provedor_id, de_fabrica),
    CONSTRAINT perfis_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
  ) ENGINE=InnoDB`,
  // A TOTP has its secret, encrypted; a passkey its public key. The last step, or the moment of the last challenge, was used already.
  `CREATE TABLE IF NOT EXISTS usuarios_fatores (
    provedor_id    BIGINT UNSIGNED NOT NULL,
    id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    usuario_id     BIGINT UNSIGNED NOT NULL,
    tipo           ENUM('totp','passkey') NOT NULL,
    nome           VARCHAR(60) NOT NULL,
    segredo        VARBINARY(255) NULL,
    credencial     VARCHAR(1400) ${ASCII} NULL,
    credencial_hash BINARY(32) NULL,
    chave_publica  VARBINARY(1024) NULL,
    contador       BIGINT UNSIGNED NOT NULL DEFAULT 0,
    ultimo_passo   BIGINT UNSIGNED NOT NULL DEFAULT 0,
    confirmado_em  DATETIME(3) NULL,
    criado_em      DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY usuarios_fatores_id (id),
    UNIQUE KEY usuarios_fatores_credencial (provedor_id, credencial_hash),
    KEY usuarios_fatores_usuario (provedor_id, usuario_id, confirmado_em),
    CONSTRAINT usuarios_fatores_usuario FOREIGN KEY (provedor_id, usuario_id) REFERENCES usuarios (provedor_id, id)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS usuarios_codigos (
    provedor_id  BIGINT UNSIGNED NOT NULL,
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    usuario_id   BIGINT UNSIGNED NOT NULL,
    hash         BINARY(32) NOT NULL,
    usado_em     DATETIME(3) NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY usuarios_codigos_id (id),
    UNIQUE KEY usuarios_codigos_hash (provedor_id, usuario_id, hash),
    CONSTRAINT usuarios_codigos_usuario FOREIGN KEY (provedor_id, usuario_id) REFERENCES usuarios (provedor_id, id)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS usuarios_convites (
    provedor_id  BIGINT UNSIGNED NOT NULL,
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    usuario_id   BIGINT UNSIGNED NOT NULL,
    tipo         ENUM('convite','senha') NOT NULL,
    token_hash   BINARY(32) NOT NULL,
    expira_em    DATETIME(3) NOT NULL,
    usado_em     DATETIME(3) NULL,
    criado_em    DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY usuarios_convites_id (id),
    UNIQUE KEY usuarios_convites_token (provedor_id, token_hash),
    KEY usuarios_convites_usuario (provedor_id, usuario_id, usado_em),
    KEY usuarios_convites_idade (expira_em),
    CONSTRAINT usuarios_convites_usuario FOREIGN KEY (provedor_id, usuario_id) REFERENCES usuarios (provedor_id, id)
  ) ENGINE=InnoDB`,
  // By the hash alone, because a session is looked up before its tenant is known to be right.
  `CREATE TABLE IF NOT EXISTS painel_sessoes (
    provedor_id   BIGINT UNSIGNED NOT NULL,
    id            BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    usuario_id    BIGINT UNSIGNED NOT NULL,
    hash          BINARY(32) NOT NULL,
    criada_em     DATETIME(3) NOT NULL,
    vista_em      DATETIME(3) NOT NULL,
    fator_em      DATETIME(3) NULL,
    provada_em    DATETIME(3) NULL,
    ip            VARCHAR(45) ${ASCII} NOT NULL,
    agente        VARCHAR(120) NOT NULL,
    encerrada_em  DATETIME(3) NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY painel_sessoes_id (id),
    UNIQUE KEY painel_sessoes_hash (hash),
    KEY painel_sessoes_usuario (provedor_id, usuario_id, encerrada_em),
    KEY painel_sessoes_idade (criada_em),
    CONSTRAINT painel_sessoes_usuario FOREIGN KEY (provedor_id, usuario_id) REFERENCES usuarios (provedor_id, id)
  ) ENGINE=InnoDB`,
];

/** New columns, each with what makes it. */
const COLUNAS: readonly (readonly [tabela: string, coluna: string, como: string])[] = [
  ['usuarios', 'perfil_id', 'BIGINT UNSIGNED NULL'],
  ['usuarios', 'cpf', `CHAR(11) ${ASCII} NULL`],
  ['usuarios', 'senha_em', 'DATETIME(3) NULL'],
  ['usuarios', 'preferencias', 'JSON NULL'],
  ['usuarios', 'entrou_em', 'DATETIME(3) NULL'],
  ['provedores', 'exigir_fator', 'TINYINT(1) NOT NULL DEFAULT 0'],
  ['provedores', 'ocioso_minutos', 'SMALLINT UNSIGNED NOT NULL DEFAULT 240'],
];

/** Providers are made in several ways, and a release without profiles may still make one; so are users. */
const GATILHOS: readonly (readonly [nome: string, quando: string, corpo: string])[] = [
  [
    'perfis_de_fabrica_insert',
    'AFTER INSERT ON provedores',
    `INSERT INTO perfis (provedor_id, de_fabrica, nome) SELECT NEW.id, f.de_fabrica, f.nome FROM (${DE_FABRICA}) f;`,
  ],
  [
    'usuarios_perfil_insert',
    'BEFORE INSERT ON usuarios',
    `IF NEW.perfil_id IS NULL AND NEW.perfil IS NOT NULL THEN
       SET NEW.perfil_id = (SELECT id FROM perfis WHERE provedor_id = NEW.provedor_id AND de_fabrica = NEW.perfil);
     END IF;`,
  ],
];

async function ha(knex: Knex, sql: string, nome: string): Promise<boolean> {
  const [linhas = []] = await knex.raw<object[][]>(sql, [nome]);
  return linhas.length > 0;
}

/** Who works for a provider: what each may do, how he proves who he is, and where he is signed in. */
export async function up(knex: Knex): Promise<void> {
  for (const sql of TABELAS) await knex.raw(sql);
  for (const [tabela, coluna, como] of COLUNAS) {
    if (!(await knex.schema.hasColumn(tabela, coluna))) {
      await knex.raw(`ALTER TABLE ${tabela} ADD COLUMN ${coluna} ${como}`);
    }
  }
  await knex.raw(
    `ALTER TABLE usuarios MODIFY COLUMN perfil ENUM('administrador','financeiro','atendimento','tecnico') NULL`,
  );
  // First the triggers: who is made between them and the rest is found by one or by the other.
  for (const [nome, quando, corpo] of GATILHOS) {
    if (!(await ha(knex, 'SHOW TRIGGERS WHERE `Trigger` = ?', nome))) {
      await knex.raw(`CREATE TRIGGER ${nome} ${quando} FOR EACH ROW BEGIN ${corpo} END`);
    }
  }
  await knex.raw(
    `INSERT IGNORE INTO perfis (provedor_id, de_fabrica, nome) SELECT p.id, f.de_fabrica, f.nome FROM provedores p JOIN (${DE_FABRICA}) f`,
  );
  await knex.raw(
    `UPDATE usuarios u JOIN perfis p ON p.provedor_id = u.provedor_id AND p.de_fabrica = u.perfil
        SET u.perfil_id = p.id WHERE u.perfil_id IS NULL`,
  );
  if (!(await ha(knex, 'SHOW INDEX FROM usuarios WHERE Key_name = ?', 'usuarios_cpf'))) {
    await knex.raw('ALTER TABLE usuarios ADD UNIQUE KEY usuarios_cpf (provedor_id, cpf)');
  }
  if (!(await ha(knex, 'SHOW INDEX FROM usuarios WHERE Key_name = ?', 'usuarios_perfil'))) {
    await knex.raw(
      `ALTER TABLE usuarios ADD KEY usuarios_perfil (provedor_id, perfil_id),
         ADD CONSTRAINT usuarios_perfil FOREIGN KEY (provedor_id, perfil_id) REFERENCES perfis (provedor_id, id)`,
    );
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [nome] of GATILHOS) await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
  await knex.raw(
    'ALTER TABLE usuarios DROP FOREIGN KEY usuarios_perfil, DROP KEY usuarios_perfil, DROP KEY usuarios_cpf',
  );
  for (const [tabela, coluna] of COLUNAS) await knex.raw(`ALTER TABLE ${tabela} DROP COLUMN ${coluna}`);
  for (const tabela of ['painel_sessoes', 'usuarios_convites', 'usuarios_codigos', 'usuarios_fatores', 'perfis']) {
    await knex.schema.dropTableIfExists(tabela);
  }
}
