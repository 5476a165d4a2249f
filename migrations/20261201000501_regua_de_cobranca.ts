import type { Knex } from 'knex';

const TABELAS: Readonly<Record<string, string>> = {
  // A provider without a row has no ladder. Texts that are null are the house's.
  reguas: `
    CREATE TABLE IF NOT EXISTS reguas (
      provedor_id            BIGINT UNSIGNED NOT NULL,
      ativa_desde            DATE NULL,
      hora                   TINYINT UNSIGNED NOT NULL,
      lembrete_dias          TINYINT UNSIGNED NULL,
      no_vencimento          TINYINT(1) NOT NULL,
      aviso_dias             SMALLINT UNSIGNED NOT NULL,
      bloqueio_dias          SMALLINT UNSIGNED NULL,
      segundo_aviso_dias     SMALLINT UNSIGNED NULL,
      rescisao_dias          SMALLINT UNSIGNED NOT NULL,
      rescinde               TINYINT(1) NOT NULL,
      vesperas               TINYINT(1) NOT NULL,
      sem_entrega            TINYINT(1) NOT NULL,
      minimo                 DECIMAL(12,2) NOT NULL,
      textos                 JSON NULL,
      atualizado_em          DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id),
      CONSTRAINT reguas_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`,
  // What was said and done, once each. `alvo_id` is the invoice's, or of what follows a block the contract's; `referencia` is the due
  // date, or the instant at which the invoice was reopened or the contract blocked, so that what begins anew is told anew. `vez`: a notice
  // that is too old to act upon is given once more.
  regua_passos: `
    CREATE TABLE IF NOT EXISTS regua_passos (
      provedor_id     BIGINT UNSIGNED NOT NULL,
      id              BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      passo           ENUM('lembrete','vencimento','aviso','bloqueio','segundo_aviso','rescisao') NOT NULL,
      alvo_id         BIGINT UNSIGNED NOT NULL,
      referencia      DATETIME(3) NOT NULL,
      vez             SMALLINT UNSIGNED NOT NULL DEFAULT 1,
      cliente_id      BIGINT UNSIGNED NOT NULL,
      contrato_id     BIGINT UNSIGNED NULL,
      fatura_id       BIGINT UNSIGNED NULL,
      dia             DATE NOT NULL,
      valor           DECIMAL(12,2) NOT NULL,
      prazo           DATE NULL,
      titulo          VARCHAR(120) NULL,
      texto           TEXT NULL,
      email_estado    ENUM('sem_endereco','sem_correio','a_enviar','entregue','falhou','dispensado') NULL,
      correio_id      BIGINT UNSIGNED NULL,
      evento_id       BIGINT UNSIGNED NULL,
      canal           VARCHAR(20) NULL,
      entregue_em     DATETIME(3) NULL,
      entregue_por    VARCHAR(120) NULL,
      criado_em       DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY regua_passos_id (id),
      UNIQUE KEY regua_passos_um (provedor_id, passo, alvo_id, referencia, vez),
      KEY regua_passos_dia (provedor_id, dia, passo, id),
      KEY regua_passos_cliente (provedor_id, cliente_id, id),
      KEY regua_passos_contrato (provedor_id, contrato_id, id),
      KEY regua_passos_fatura (provedor_id, fatura_id, passo),
      KEY regua_passos_correio (provedor_id, correio_id),
      CONSTRAINT regua_passos_cliente FOREIGN KEY (provedor_id, cliente_id) REFERENCES clientes (provedor_id, id),
      CONSTRAINT regua_passos_contrato FOREIGN KEY (provedor_id, contrato_id) REFERENCES contratos (provedor_id, id),
      CONSTRAINT regua_passos_fatura FOREIGN KEY (provedor_id, fatura_id) REFERENCES faturas (provedor_id, id)
    ) ENGINE=InnoDB`,
  // For whom the ladder stands still: a contract, or all of a client's. Without an end, until somebody ends it.
  regua_pausas: `
    CREATE TABLE IF NOT EXISTS regua_pausas (
      provedor_id     BIGINT UNSIGNED NOT NULL,
      id              BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      cliente_id      BIGINT UNSIGNED NOT NULL,
      contrato_id     BIGINT UNSIGNED NULL,
      so_bloqueio     TINYINT(1) NOT NULL,
      ate             DATE NULL,
      motivo          VARCHAR(500) NULL,
      autor           VARCHAR(120) NOT NULL,
      criada_em       DATETIME(3) NOT NULL,
      encerrada_em    DATETIME(3) NULL,
      encerrada_por   VARCHAR(120) NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY regua_pausas_id (id),
      KEY regua_pausas_cliente (provedor_id, cliente_id, id),
      KEY regua_pausas_contrato (provedor_id, contrato_id),
      CONSTRAINT regua_pausas_cliente FOREIGN KEY (provedor_id, cliente_id) REFERENCES clientes (provedor_id, id),
      CONSTRAINT regua_pausas_contrato FOREIGN KEY (provedor_id, contrato_id) REFERENCES contratos (provedor_id, id)
    ) ENGINE=InnoDB`,
};

/** The collection ladder: its rules, what it has said and done, and for whom it stands still. */
export async function up(knex: Knex): Promise<void> {
  for (const sql of Object.values(TABELAS)) await knex.raw(sql);
}

export async function down(knex: Knex): Promise<void> {
  for (const tabela of Object.keys(TABELAS).toReversed()) await knex.schema.dropTableIfExists(tabela);
}
