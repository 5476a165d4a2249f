import type { Knex } from 'knex';

/** How a provider shows itself, carnês, and the PIX payments that a PSP tells of. */
export async function up(knex: Knex): Promise<void> {
  // Read by pages and paper alone, and wider than the rest of a provider: a row of its own, which may be missing.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS provedores_identidade (
      provedor_id            BIGINT UNSIGNED NOT NULL,
      razao_social           VARCHAR(120) NULL,
      cep                    CHAR(8) CHARACTER SET ascii COLLATE ascii_bin NULL,
      logradouro             VARCHAR(150) NULL,
      numero                 VARCHAR(20) NULL,
      complemento            VARCHAR(100) NULL,
      bairro                 VARCHAR(100) NULL,
      cidade                 VARCHAR(100) NULL,
      uf                     CHAR(2) CHARACTER SET ascii COLLATE ascii_bin NULL,
      cor                    CHAR(7) CHARACTER SET ascii COLLATE ascii_bin NULL,
      logo                   BLOB NULL,
      logo_tipo              ENUM('image/png','image/jpeg') NULL,
      telefone               VARCHAR(13) CHARACTER SET ascii COLLATE ascii_bin NULL,
      whatsapp               VARCHAR(13) CHARACTER SET ascii COLLATE ascii_bin NULL,
      email                  VARCHAR(254) NULL,
      site                   VARCHAR(253) NULL,
      boleto_agencia_codigo  VARCHAR(24) NULL,
      boleto_carteira        VARCHAR(8) NULL,
      PRIMARY KEY (provedor_id),
      CONSTRAINT provedores_identidade_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);

  await knex.raw(`
    CREATE TABLE IF NOT EXISTS carnes (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      cliente_id   BIGINT UNSIGNED NOT NULL,
      parcelas     SMALLINT UNSIGNED NOT NULL,
      emitido_em   DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY carnes_id (id),
      CONSTRAINT carnes_cliente FOREIGN KEY (provedor_id, cliente_id) REFERENCES clientes (provedor_id, id)
    ) ENGINE=InnoDB`);

  if (!(await knex.schema.hasColumn('faturas', 'carne_id'))) {
    await knex.raw(`
      ALTER TABLE faturas
        ADD COLUMN nosso_numero VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NULL AFTER codigo_barras,
        ADD COLUMN carne_id BIGINT UNSIGNED NULL AFTER nosso_numero,
        ADD COLUMN parcela SMALLINT UNSIGNED NULL AFTER carne_id,
        ADD UNIQUE KEY faturas_carne (provedor_id, carne_id, parcela),
        ADD CONSTRAINT faturas_carne FOREIGN KEY (provedor_id, carne_id) REFERENCES carnes (provedor_id, id)`);
  }

  // An address that a PSP posts to holds a secret, of which only the SHA-256 is kept.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS receptores_pix (
      provedor_id     BIGINT UNSIGNED NOT NULL,
      id              BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      nome            VARCHAR(120) NOT NULL,
      token_hash      BINARY(32) NOT NULL,
      ips_permitidos  JSON NULL,
      criado_em       DATETIME(3) NOT NULL,
      revogado_em     DATETIME(3) NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY receptores_pix_id (id),
      UNIQUE KEY receptores_pix_token (token_hash),
      CONSTRAINT receptores_pix_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);

  await knex.raw(`
    CREATE TABLE IF NOT EXISTS pix_recebidos (
      provedor_id    BIGINT UNSIGNED NOT NULL,
      id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      fatura_id      BIGINT UNSIGNED NOT NULL,
      end_to_end_id  CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      valor          DECIMAL(12,2) NOT NULL,
      devolvido      DECIMAL(12,2) NOT NULL DEFAULT 0.00,
      pago_em        DATETIME(3) NOT NULL,
      criado_em      DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY pix_recebidos_id (id),
      UNIQUE KEY pix_recebidos_fim_a_fim (provedor_id, end_to_end_id),
      KEY pix_recebidos_fatura (provedor_id, fatura_id, pago_em),
      CONSTRAINT pix_recebidos_fatura FOREIGN KEY (provedor_id, fatura_id) REFERENCES faturas (provedor_id, id)
    ) ENGINE=InnoDB`);

  await knex.raw(`
    CREATE TABLE IF NOT EXISTS pix_devolucoes (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      recebido_id  BIGINT UNSIGNED NOT NULL,
      devolucao    VARCHAR(35) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      valor        DECIMAL(12,2) NOT NULL,
      criado_em    DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY pix_devolucoes_id (id),
      UNIQUE KEY pix_devolucoes_uma (provedor_id, recebido_id, devolucao),
      CONSTRAINT pix_devolucoes_recebido FOREIGN KEY (provedor_id, recebido_id)
        REFERENCES pix_recebidos (provedor_id, id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  for (const tabela of ['pix_devolucoes', 'pix_recebidos', 'receptores_pix']) {
    await knex.schema.dropTableIfExists(tabela);
  }
  await knex.raw('ALTER TABLE faturas DROP FOREIGN KEY faturas_carne, DROP KEY faturas_carne');
  await knex.raw(`
    ALTER TABLE faturas
      DROP COLUMN parcela,
      DROP COLUMN carne_id,
      DROP COLUMN nosso_numero`);
  for (const tabela of ['carnes', 'provedores_identidade']) await knex.schema.dropTableIfExists(tabela);
}
