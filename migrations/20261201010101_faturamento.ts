import type { Knex } from 'knex';

/** What a billing run goes by, what it has made, and what contracts have beside their price. */
export async function up(knex: Knex): Promise<void> {
  // Null in what was written before: then the kind of a move says what there is to know. See src/domain/faturamento/calculo.
  if (!(await knex.schema.hasColumn('contratos_historico', 'valor_para'))) {
    await knex.raw(`
      ALTER TABLE contratos_historico
        ADD COLUMN situacao_de VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NULL,
        ADD COLUMN situacao_para VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NULL,
        ADD COLUMN valor_de DECIMAL(12,2) NULL,
        ADD COLUMN valor_para DECIMAL(12,2) NULL`);
  }

  // No row, or none with `desde`: nothing is billed by itself.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS faturamento_configuracoes (
      provedor_id       BIGINT UNSIGNED NOT NULL,
      desde             DATE NULL,
      antecedencia      TINYINT UNSIGNED NOT NULL DEFAULT 10,
      fatura_unica      TINYINT(1) NOT NULL DEFAULT 0,
      cobrar_bloqueado  TINYINT(1) NOT NULL DEFAULT 0,
      atualizado_em     DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id),
      CONSTRAINT faturamento_configuracoes_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);

  await knex.raw(`
    CREATE TABLE IF NOT EXISTS faturamentos (
      provedor_id   BIGINT UNSIGNED NOT NULL,
      id            BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      dia           DATE NOT NULL,
      origem        ENUM('diario','pedido','carne') NOT NULL,
      cobrancas     INT UNSIGNED NOT NULL DEFAULT 0,
      faturas       INT UNSIGNED NOT NULL DEFAULT 0,
      total         DECIMAL(14,2) NOT NULL DEFAULT 0.00,
      autor         VARCHAR(120) NULL,
      iniciado_em   DATETIME(3) NOT NULL,
      desfeito_em   DATETIME(3) NULL,
      desfeito_por  VARCHAR(120) NULL,
      valido        TINYINT(1) GENERATED ALWAYS AS (IF(desfeito_em IS NULL AND origem <> 'carne', 1, NULL)) STORED,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY faturamentos_id (id),
      UNIQUE KEY faturamentos_um (provedor_id, dia, origem, valido),
      CONSTRAINT faturamentos_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);

  // A charge of nothing is kept, too: it says that the month has been looked at. One below nothing is taken off a later one.
  // `bloqueado`: whether blocked days were billed when it was made; a change of the rule is of months to come.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS faturamento_cobrancas (
      provedor_id     BIGINT UNSIGNED NOT NULL,
      contrato_id     BIGINT UNSIGNED NOT NULL,
      competencia     DATE NOT NULL,
      tipo            ENUM('mensalidade','carne') NOT NULL,
      faturamento_id  BIGINT UNSIGNED NOT NULL,
      fatura_id       BIGINT UNSIGNED NULL,
      vencimento      DATE NOT NULL,
      valor           DECIMAL(12,2) NOT NULL,
      dias            TINYINT UNSIGNED NOT NULL,
      isenta          TINYINT(1) NOT NULL DEFAULT 0,
      bloqueado       TINYINT(1) NOT NULL DEFAULT 0,
      itens           JSON NOT NULL,
      PRIMARY KEY (provedor_id, contrato_id, competencia, tipo),
      KEY faturamento_cobrancas_da_vez (provedor_id, faturamento_id, contrato_id),
      KEY faturamento_cobrancas_fatura (provedor_id, fatura_id),
      KEY faturamento_cobrancas_vencimento (provedor_id, vencimento, valor),
      CONSTRAINT faturamento_cobrancas_da_vez FOREIGN KEY (provedor_id, faturamento_id) REFERENCES faturamentos (provedor_id, id),
      CONSTRAINT faturamento_cobrancas_contrato FOREIGN KEY (provedor_id, contrato_id) REFERENCES contratos (provedor_id, id),
      CONSTRAINT faturamento_cobrancas_fatura FOREIGN KEY (provedor_id, fatura_id) REFERENCES faturas (provedor_id, id)
    ) ENGINE=InnoDB`);

  // `de` and `ate` are first days of months; of a percentage, `valor` is the percents. `faturamento_id`: the run that took what is
  // charged once.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS contratos_itens (
      provedor_id     BIGINT UNSIGNED NOT NULL,
      id              BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      contrato_id     BIGINT UNSIGNED NOT NULL,
      tipo            ENUM('unico','recorrente','desconto','desconto_percentual') NOT NULL,
      descricao       VARCHAR(120) NOT NULL,
      valor           DECIMAL(12,2) NOT NULL,
      de              DATE NOT NULL,
      ate             DATE NULL,
      faturamento_id  BIGINT UNSIGNED NULL,
      autor           VARCHAR(120) NULL,
      criado_em       DATETIME(3) NOT NULL,
      removido_em     DATETIME(3) NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY contratos_itens_id (id),
      KEY contratos_itens_contrato (provedor_id, contrato_id, id),
      KEY contratos_itens_da_vez (provedor_id, faturamento_id, id),
      CONSTRAINT contratos_itens_contrato FOREIGN KEY (provedor_id, contrato_id) REFERENCES contratos (provedor_id, id),
      CONSTRAINT contratos_itens_da_vez FOREIGN KEY (provedor_id, faturamento_id) REFERENCES faturamentos (provedor_id, id)
    ) ENGINE=InnoDB`);

  if (!(await knex.schema.hasColumn('faturas', 'competencia'))) {
    await knex.raw(`
      ALTER TABLE faturas
        ADD COLUMN faturamento_id BIGINT UNSIGNED NULL,
        ADD COLUMN competencia DATE NULL`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const tabela of ['contratos_itens', 'faturamento_cobrancas', 'faturamentos', 'faturamento_configuracoes']) {
    await knex.schema.dropTableIfExists(tabela);
  }
  await knex.raw('ALTER TABLE faturas DROP COLUMN faturamento_id, DROP COLUMN competencia');
  await knex.raw(`
    ALTER TABLE contratos_historico
      DROP COLUMN situacao_de,
      DROP COLUMN situacao_para,
      DROP COLUMN valor_de,
      DROP COLUMN valor_para`);
}
