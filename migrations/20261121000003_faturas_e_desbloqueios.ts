import type { Knex } from 'knex';

/** Invoices and trust unblocks. */
export async function up(knex: Knex): Promise<void> {
  // `grupo` puts pendente and vencida under one value, because which of the two an open invoice is depends on the
  // reader's date: one index then serves every situacao filter in the list's order, with the due date inside it.
  // `token` is the unguessable part of the links a subscriber opens.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS faturas (
      provedor_id       BIGINT UNSIGNED NOT NULL,
      id                BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      cliente_id        BIGINT UNSIGNED NOT NULL,
      contrato_id       BIGINT UNSIGNED NULL,
      descricao         VARCHAR(255) NULL,
      situacao          ENUM('pendente','vencida','paga','cancelada','estornada','processando') NOT NULL,
      grupo             VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin
                        GENERATED ALWAYS AS (IF(situacao IN ('pendente','vencida'), 'aberta', situacao)) STORED,
      tipo              ENUM('boleto','pix','carne','carteira') NULL,
      valor             DECIMAL(12,2) NOT NULL,
      valor_pago        DECIMAL(12,2) NOT NULL DEFAULT 0.00,
      vencimento        DATE NOT NULL,
      emitida_em        DATETIME(3) NOT NULL,
      pago_em           DATETIME(3) NULL,
      token             CHAR(22) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      pix_txid          VARCHAR(35) CHARACTER SET ascii COLLATE ascii_bin NULL,
      pix_copia_cola    VARCHAR(512) NULL,
      linha_digitavel   VARCHAR(48) CHARACTER SET ascii COLLATE ascii_bin NULL,
      codigo_barras     CHAR(44) CHARACTER SET ascii COLLATE ascii_bin NULL,
      atualizado_em     DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY faturas_id (id),
      UNIQUE KEY faturas_token (token),
      UNIQUE KEY faturas_txid (provedor_id, pix_txid),
      KEY faturas_emissao (provedor_id, emitida_em, id, vencimento),
      KEY faturas_grupo (provedor_id, grupo, emitida_em, id, vencimento),
      KEY faturas_cliente (provedor_id, cliente_id, emitida_em, id, grupo, vencimento),
      KEY faturas_contrato (provedor_id, contrato_id, emitida_em, id, grupo, vencimento),
      KEY faturas_vencimento (provedor_id, vencimento, grupo, emitida_em, id),
      KEY faturas_atualizado (provedor_id, atualizado_em, id),
      CONSTRAINT faturas_cliente FOREIGN KEY (provedor_id, cliente_id) REFERENCES clientes (provedor_id, id),
      CONSTRAINT faturas_contrato FOREIGN KEY (provedor_id, contrato_id) REFERENCES contratos (provedor_id, id)
    ) ENGINE=InnoDB`);

  await knex.raw(`
    CREATE TABLE IF NOT EXISTS desbloqueios_confianca (
      provedor_id      BIGINT UNSIGNED NOT NULL,
      id               BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      contrato_id      BIGINT UNSIGNED NOT NULL,
      fatura_causa_id  BIGINT UNSIGNED NULL,
      chave_id         BIGINT UNSIGNED NULL,
      dias             SMALLINT UNSIGNED NOT NULL,
      motivo           VARCHAR(500) NULL,
      aplicado_em      DATETIME(3) NOT NULL,
      ate              DATETIME(3) NOT NULL,
      encerrado_em     DATETIME(3) NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY desbloqueios_confianca_id (id),
      KEY desbloqueios_confianca_contrato (provedor_id, contrato_id, encerrado_em, ate),
      KEY desbloqueios_confianca_fim (encerrado_em, ate),
      CONSTRAINT desbloqueios_confianca_contrato FOREIGN KEY (provedor_id, contrato_id)
        REFERENCES contratos (provedor_id, id),
      CONSTRAINT desbloqueios_confianca_fatura FOREIGN KEY (provedor_id, fatura_causa_id)
        REFERENCES faturas (provedor_id, id),
      CONSTRAINT desbloqueios_confianca_chave FOREIGN KEY (provedor_id, chave_id)
        REFERENCES chaves_api (provedor_id, id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  for (const tabela of ['desbloqueios_confianca', 'faturas']) await knex.schema.dropTableIfExists(tabela);
}
