import type { Knex } from 'knex';

/**
 * What comes from another system: each file and what is done with it, its contents for some days, what each of its lines became, and the
 * passwords that wait for the network.
 */
export async function up(knex: Knex): Promise<void> {
  // `acao` is what was asked for and is not done yet; `situacao` is how far it has come. `proxima_linha` moves in the transaction that
  // writes the lines before it, so that whoever goes on after a crash writes none twice.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS importacoes (
      provedor_id    BIGINT UNSIGNED NOT NULL,
      id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      arquivo        VARCHAR(255) NOT NULL,
      formato        VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      tipo           VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      leitura        JSON NOT NULL,
      mapa           JSON NOT NULL,
      bytes          BIGINT UNSIGNED NOT NULL DEFAULT 0,
      linhas         INT UNSIGNED NOT NULL DEFAULT 0,
      situacao       ENUM('recebendo','nova','simulada','em_execucao','executada','desfeita') NOT NULL,
      acao           ENUM('simular','executar','desfazer','aplicar_rede') NULL,
      avisar         TINYINT(1) NOT NULL DEFAULT 0,
      proxima_linha  INT UNSIGNED NOT NULL DEFAULT 0,
      contagens      JSON NOT NULL,
      simulacao      JSON NULL,
      motivo         VARCHAR(500) NULL,
      autor          VARCHAR(120) NOT NULL,
      criado_em      DATETIME(3) NOT NULL,
      iniciada_em    DATETIME(3) NULL,
      terminada_em   DATETIME(3) NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY importacoes_id (id),
      KEY importacoes_acao (provedor_id, acao, id),
      CONSTRAINT importacoes_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);

  // Compressed and encrypted, in parts: a whole file would not fit into one packet.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS importacao_arquivos (
      provedor_id    BIGINT UNSIGNED NOT NULL,
      importacao_id  BIGINT UNSIGNED NOT NULL,
      parte          BIGINT UNSIGNED NOT NULL,
      conteudo       MEDIUMBLOB NOT NULL,
      criado_em      DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, importacao_id, parte),
      KEY importacao_arquivos_idade (criado_em),
      CONSTRAINT importacao_arquivos_importacao FOREIGN KEY (provedor_id, importacao_id)
        REFERENCES importacoes (provedor_id, id)
    ) ENGINE=InnoDB`);

  // Without foreign keys to what a line made: what an undo deletes leaves its line here. `gravada_em` is also the `atualizado_em` of
  // the client and the contract that the line made, which tells whether anybody has touched them since. An invoice is touched by each
  // night, and phones do not say when: of them `impressao` is what they said.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS importacao_linhas (
      provedor_id    BIGINT UNSIGNED NOT NULL,
      importacao_id  BIGINT UNSIGNED NOT NULL,
      linha          INT UNSIGNED NOT NULL,
      resumo         BINARY(16) NOT NULL,
      situacao       ENUM('gravada','ja_estava','recusada','desfeita') NOT NULL,
      plano_id       BIGINT UNSIGNED NULL,
      cliente_id     BIGINT UNSIGNED NULL,
      cliente_novo   TINYINT(1) NOT NULL DEFAULT 0,
      contrato_id    BIGINT UNSIGNED NULL,
      fatura_id      BIGINT UNSIGNED NULL,
      impressao      BINARY(16) NULL,
      erros          JSON NULL,
      gravada_em     DATETIME(3) NOT NULL,
      rede_em        DATETIME(3) NULL,
      PRIMARY KEY (provedor_id, importacao_id, linha),
      CONSTRAINT importacao_linhas_importacao FOREIGN KEY (provedor_id, importacao_id)
        REFERENCES importacoes (provedor_id, id)
    ) ENGINE=InnoDB`);

  // Passwords of lines, encrypted, until they are written to radcheck. They go with their contract.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS importacao_senhas (
      provedor_id    BIGINT UNSIGNED NOT NULL,
      contrato_id    BIGINT UNSIGNED NOT NULL,
      senha          VARBINARY(255) NOT NULL,
      criado_em      DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, contrato_id),
      KEY importacao_senhas_idade (criado_em),
      CONSTRAINT importacao_senhas_contrato FOREIGN KEY (provedor_id, contrato_id)
        REFERENCES contratos (provedor_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  for (const tabela of ['importacao_senhas', 'importacao_linhas', 'importacao_arquivos', 'importacoes']) {
    await knex.schema.dropTableIfExists(tabela);
  }
}
