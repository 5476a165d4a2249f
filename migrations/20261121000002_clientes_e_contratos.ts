import type { Knex } from 'knex';

const ENDERECO = `
      cep          CHAR(8) CHARACTER SET ascii COLLATE ascii_bin NULL,
      logradouro   VARCHAR(160) NULL,
      numero       VARCHAR(20) NULL,
      complemento  VARCHAR(80) NULL,
      bairro       VARCHAR(80) NULL,
      cidade       VARCHAR(80) NULL,
      uf           CHAR(2) CHARACTER SET ascii COLLATE ascii_bin NULL`;

/** Plans, clients with their phones, contracts and what happened to them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS planos (
      provedor_id    BIGINT UNSIGNED NOT NULL,
      id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      nome           VARCHAR(120) NOT NULL,
      download_mbps  INT UNSIGNED NOT NULL,
      upload_mbps    INT UNSIGNED NOT NULL,
      valor          DECIMAL(12,2) NOT NULL,
      tecnologia     VARCHAR(40) NULL,
      descricao      VARCHAR(1000) NULL,
      grupo_radius   VARCHAR(64) NULL,
      ativo          TINYINT(1) NOT NULL DEFAULT 1,
      criado_em      DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY planos_id (id),
      KEY planos_ativos (provedor_id, ativo, nome, id),
      CONSTRAINT planos_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);

  // cpf_cnpj is not unique: providers hold a cancelled and a new registration of one person side by side.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS clientes (
      provedor_id      BIGINT UNSIGNED NOT NULL,
      id               BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      nome             VARCHAR(160) NOT NULL,
      nome_fantasia    VARCHAR(160) NULL,
      tipo             ENUM('pf','pj') NOT NULL,
      cpf_cnpj         VARCHAR(14) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      email            VARCHAR(254) NULL,
      situacao         ENUM('ativo','bloqueado','cancelado','inativo','observacao','pre_cadastro') NOT NULL,
      data_nascimento  DATE NULL,${ENDERECO},
      criado_em        DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
      atualizado_em    DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY clientes_id (id),
      KEY clientes_cpf_cnpj (provedor_id, cpf_cnpj, id),
      KEY clientes_situacao (provedor_id, situacao, id),
      KEY clientes_atualizado (provedor_id, atualizado_em, id),
      CONSTRAINT clientes_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);

  await knex.raw(`
    CREATE TABLE IF NOT EXISTS clientes_telefones (
      provedor_id   BIGINT UNSIGNED NOT NULL,
      id            BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      cliente_id    BIGINT UNSIGNED NOT NULL,
      numero        VARCHAR(13) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      ultimos_oito  CHAR(8) CHARACTER SET ascii COLLATE ascii_bin GENERATED ALWAYS AS (RIGHT(numero, 8)) STORED,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY clientes_telefones_id (id),
      KEY clientes_telefones_cliente (provedor_id, cliente_id, id, numero),
      KEY clientes_telefones_busca (provedor_id, ultimos_oito, cliente_id),
      CONSTRAINT clientes_telefones_cliente FOREIGN KEY (provedor_id, cliente_id) REFERENCES clientes (provedor_id, id)
    ) ENGINE=InnoDB`);

  await knex.raw(`
    CREATE TABLE IF NOT EXISTS contratos (
      provedor_id      BIGINT UNSIGNED NOT NULL,
      id               BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      cliente_id       BIGINT UNSIGNED NOT NULL,
      plano_id         BIGINT UNSIGNED NOT NULL,
      situacao         ENUM('pendente','ativo','bloqueado','inativo','cancelado','cancelado_definitivo') NOT NULL,
      tipo_conexao     VARCHAR(20) NOT NULL DEFAULT 'pppoe',
      login            VARCHAR(64) NULL,
      mac              CHAR(17) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ip               VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NULL,
      tipo_cobranca    ENUM('pos_pago','pre_pago','isento') NOT NULL,
      dia_vencimento   TINYINT UNSIGNED NOT NULL,
      valor            DECIMAL(12,2) NOT NULL,
      ativado_em       DATE NULL,
      bloqueado_em     DATETIME(3) NULL,
      bloqueio_origem  ENUM('financeiro','manual') NULL,${ENDERECO},
      criado_em        DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
      atualizado_em    DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY contratos_id (id),
      UNIQUE KEY contratos_login (provedor_id, login),
      KEY contratos_cliente (provedor_id, cliente_id, id),
      KEY contratos_plano (provedor_id, plano_id),
      CONSTRAINT contratos_cliente FOREIGN KEY (provedor_id, cliente_id) REFERENCES clientes (provedor_id, id),
      CONSTRAINT contratos_plano FOREIGN KEY (provedor_id, plano_id) REFERENCES planos (provedor_id, id),
      CONSTRAINT contratos_dia CHECK (dia_vencimento BETWEEN 1 AND 31)
    ) ENGINE=InnoDB`);

  await knex.raw(`
    CREATE TABLE IF NOT EXISTS contratos_historico (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      contrato_id  BIGINT UNSIGNED NOT NULL,
      acao         VARCHAR(40) NOT NULL,
      descricao    TEXT NULL,
      autor        VARCHAR(120) NULL,
      ocorrido_em  DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY contratos_historico_id (id),
      KEY contratos_historico_contrato (provedor_id, contrato_id, id),
      CONSTRAINT contratos_historico_contrato FOREIGN KEY (provedor_id, contrato_id)
        REFERENCES contratos (provedor_id, id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  for (const tabela of ['contratos_historico', 'contratos', 'clientes_telefones', 'clientes', 'planos']) {
    await knex.schema.dropTableIfExists(tabela);
  }
}
