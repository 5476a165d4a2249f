import type { Knex } from 'knex';

/** Each statement is committed by itself, and each can be run again. */
export const config = { transaction: false };

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

const TABELAS: readonly string[] = [
  // One a tax id: made at the first code, or by an import. Without a password nobody signs in by it.
  `CREATE TABLE IF NOT EXISTS app_acessos (
    provedor_id    BIGINT UNSIGNED NOT NULL,
    id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    cpf_cnpj       VARCHAR(14) ${ASCII} NOT NULL,
    senha_hash     VARCHAR(255) ${ASCII} NULL,
    senha_em       DATETIME(3) NULL,
    trocar_senha   TINYINT(1) NOT NULL DEFAULT 0,
    desativado_em  DATETIME(3) NULL,
    ultimo_em      DATETIME(3) NULL,
    criado_em      DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY app_acessos_id (id),
    UNIQUE KEY app_acessos_documento (provedor_id, cpf_cnpj),
    CONSTRAINT app_acessos_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS app_codigos (
    provedor_id  BIGINT UNSIGNED NOT NULL,
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    acesso_id    BIGINT UNSIGNED NOT NULL,
    canal        ENUM('email','equipe','integracao') NOT NULL,
    codigo_hmac  BINARY(32) NOT NULL,
    expira_em    DATETIME(3) NOT NULL,
    tentativas   TINYINT UNSIGNED NOT NULL DEFAULT 0,
    usado_em     DATETIME(3) NULL,
    criado_por   BIGINT UNSIGNED NULL,
    criado_em    DATETIME(3) NOT NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY app_codigos_id (id),
    KEY app_codigos_acesso (provedor_id, acesso_id, criado_em),
    KEY app_codigos_idade (expira_em),
    CONSTRAINT app_codigos_acesso FOREIGN KEY (provedor_id, acesso_id) REFERENCES app_acessos (provedor_id, id)
  ) ENGINE=InnoDB`,
  // `vale_ate`: of the newest refresh token, or when it was ended. `usada_em` is exact to the day.
  `CREATE TABLE IF NOT EXISTS app_sessoes (
    provedor_id   BIGINT UNSIGNED NOT NULL,
    id            BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    acesso_id     BIGINT UNSIGNED NULL,
    usuario_id    BIGINT UNSIGNED NULL,
    aparelho      VARCHAR(80) NULL,
    rede          VARCHAR(45) ${ASCII} NOT NULL,
    criada_em     DATETIME(3) NOT NULL,
    limite_em     DATETIME(3) NOT NULL,
    usada_em      DATE NOT NULL,
    vale_ate      DATETIME(3) NOT NULL,
    encerrada_em  DATETIME(3) NULL,
    motivo        ENUM('saida','senha','reuso','equipe','excesso','sem_alcance') NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY app_sessoes_id (id),
    KEY app_sessoes_acesso (provedor_id, acesso_id, id),
    KEY app_sessoes_usuario (provedor_id, usuario_id, id),
    KEY app_sessoes_idade (vale_ate),
    CONSTRAINT app_sessoes_acesso FOREIGN KEY (provedor_id, acesso_id) REFERENCES app_acessos (provedor_id, id),
    CONSTRAINT app_sessoes_usuario FOREIGN KEY (provedor_id, usuario_id) REFERENCES usuarios (provedor_id, id)
  ) ENGINE=InnoDB`,
  // By their hashes alone, because a token is looked up before its tenant is known to be right.
  `CREATE TABLE IF NOT EXISTS app_tokens (
    provedor_id    BIGINT UNSIGNED NOT NULL,
    id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    sessao_id      BIGINT UNSIGNED NOT NULL,
    geracao        INT UNSIGNED NOT NULL,
    nonce          BINARY(32) NOT NULL,
    refresh_hash   BINARY(32) NOT NULL,
    access_hash    BINARY(32) NOT NULL,
    criado_em      DATETIME(3) NOT NULL,
    access_ate     DATETIME(3) NOT NULL,
    refresh_ate    DATETIME(3) NOT NULL,
    confirmado_em  DATETIME(3) NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY app_tokens_id (id),
    UNIQUE KEY app_tokens_geracao (provedor_id, sessao_id, geracao),
    UNIQUE KEY app_tokens_refresh (refresh_hash),
    UNIQUE KEY app_tokens_access (access_hash),
    KEY app_tokens_idade (refresh_ate),
    CONSTRAINT app_tokens_sessao FOREIGN KEY (provedor_id, sessao_id) REFERENCES app_sessoes (provedor_id, id)
      ON DELETE CASCADE
  ) ENGINE=InnoDB`,
  // For a day after a change: codes go there too, and who had the address hears of it.
  `CREATE TABLE IF NOT EXISTS clientes_emails_anteriores (
    provedor_id  BIGINT UNSIGNED NOT NULL,
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    cliente_id   BIGINT UNSIGNED NOT NULL,
    email        VARCHAR(254) NOT NULL,
    trocado_em   DATETIME(3) NOT NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY clientes_emails_anteriores_id (id),
    KEY clientes_emails_anteriores_cliente (provedor_id, cliente_id, trocado_em),
    KEY clientes_emails_anteriores_idade (trocado_em),
    CONSTRAINT clientes_emails_anteriores_cliente FOREIGN KEY (provedor_id, cliente_id) REFERENCES clientes (provedor_id, id)
  ) ENGINE=InnoDB`,
];

/** Who signs in to the app, by what, and where he is signed in. */
export async function up(knex: Knex): Promise<void> {
  for (const sql of TABELAS) await knex.raw(sql);
}

export async function down(knex: Knex): Promise<void> {
  for (const tabela of ['clientes_emails_anteriores', 'app_tokens', 'app_sessoes', 'app_codigos', 'app_acessos']) {
    await knex.schema.dropTableIfExists(tabela);
  }
}
