import type { Knex } from 'knex';

/** Tenants, their billing rules, their staff and their API keys. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS provedores (
      id            BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      nome          VARCHAR(120) NOT NULL,
      panel_host    VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      fuso_horario  VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'America/Sao_Paulo',
      cnpj          CHAR(14) CHARACTER SET ascii COLLATE ascii_bin NULL,
      pix_chave     VARCHAR(77) NULL,
      pix_nome      VARCHAR(25) NULL,
      pix_cidade    VARCHAR(15) NULL,
      demonstracao  TINYINT(1) NOT NULL DEFAULT 0,
      criado_em     DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
      PRIMARY KEY (id),
      UNIQUE KEY provedores_panel_host (panel_host)
    ) ENGINE=InnoDB`);

  // One row a tenant; percentages in hundredths of a percent would hide what an operator reads, so they stay decimal.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS regras_cobranca (
      provedor_id              BIGINT UNSIGNED NOT NULL,
      multa_percentual         DECIMAL(4,2) NOT NULL DEFAULT 2.00,
      juros_mensal_percentual  DECIMAL(5,2) NOT NULL DEFAULT 1.00,
      carencia_dias            SMALLINT UNSIGNED NOT NULL DEFAULT 0,
      desbloqueio_habilitado   TINYINT(1) NOT NULL DEFAULT 0,
      desbloqueio_dias         SMALLINT UNSIGNED NOT NULL DEFAULT 3,
      PRIMARY KEY (provedor_id),
      CONSTRAINT regras_cobranca_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id),
      CONSTRAINT regras_cobranca_multa CHECK (multa_percentual BETWEEN 0 AND 2.00),
      CONSTRAINT regras_cobranca_juros CHECK (juros_mensal_percentual >= 0),
      CONSTRAINT regras_cobranca_dias CHECK (desbloqueio_dias BETWEEN 1 AND 90)
    ) ENGINE=InnoDB`);

  await knex.raw(`
    CREATE TABLE IF NOT EXISTS usuarios (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      nome         VARCHAR(120) NOT NULL,
      email        VARCHAR(254) NOT NULL,
      perfil       ENUM('administrador','financeiro','atendimento','tecnico') NOT NULL,
      senha_hash   VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ativo        TINYINT(1) NOT NULL DEFAULT 1,
      criado_em    DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY usuarios_id (id),
      UNIQUE KEY usuarios_email (provedor_id, email),
      CONSTRAINT usuarios_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);

  // Only the SHA-256 of a key is kept: 190 random bits need no slow hash, and the text cannot be had back.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS chaves_api (
      provedor_id        BIGINT UNSIGNED NOT NULL,
      id                 BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      nome               VARCHAR(120) NOT NULL,
      inicio             VARCHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      hash               BINARY(32) NOT NULL,
      permissoes         JSON NOT NULL,
      ips_permitidos     JSON NULL,
      limite_por_minuto  SMALLINT UNSIGNED NOT NULL DEFAULT 120,
      expira_em          DATETIME(3) NULL,
      revogada_em        DATETIME(3) NULL,
      criada_por         BIGINT UNSIGNED NULL,
      criado_em          DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY chaves_api_id (id),
      UNIQUE KEY chaves_api_hash (hash),
      CONSTRAINT chaves_api_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id),
      CONSTRAINT chaves_api_usuario FOREIGN KEY (provedor_id, criada_por) REFERENCES usuarios (provedor_id, id),
      CONSTRAINT chaves_api_limite CHECK (limite_por_minuto BETWEEN 1 AND 1200)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  for (const tabela of ['chaves_api', 'usuarios', 'regras_cobranca', 'provedores']) {
    await knex.schema.dropTableIfExists(tabela);
  }
}
