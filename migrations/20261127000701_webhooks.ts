import type { Knex } from 'knex';

/**
 * Where providers have events sent, and what was sent: a message for each event, a delivery of it for each webhook, and the attempts of
 * each. `aviso_dias`: how long before its due date an invoice is announced; `aviso_vencimento`: the due date for which it was.
 */
export async function up(knex: Knex): Promise<void> {
  // segredo, segredo_anterior: sealed. falhas_seguidas counts attempts, and ends with one that succeeds; falhando_desde: the first of them.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS webhooks (
      provedor_id        BIGINT UNSIGNED NOT NULL,
      id                 BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      url                VARCHAR(2000) NOT NULL,
      descricao          VARCHAR(200) NULL,
      eventos            JSON NOT NULL,
      situacao           ENUM('ativo','pausado','desativado') NOT NULL DEFAULT 'ativo',
      motivo             ENUM('falhas','gone') NULL,
      segredo            VARBINARY(255) NOT NULL,
      segredo_fim        CHAR(4) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      segredo_anterior   VARBINARY(255) NULL,
      anterior_ate       DATETIME(3) NULL,
      falhas_seguidas    INT UNSIGNED NOT NULL DEFAULT 0,
      falhando_desde     DATETIME(3) NULL,
      avisado_em         DATETIME(3) NULL,
      ultima_entrega_em  DATETIME(3) NULL,
      ultimo_sucesso_em  DATETIME(3) NULL,
      criado_por         BIGINT UNSIGNED NULL,
      removido_em        DATETIME(3) NULL,
      criado_em          DATETIME(3) NOT NULL,
      atualizado_em      DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY webhooks_id (id),
      KEY webhooks_vivos (provedor_id, removido_em, situacao),
      KEY webhooks_idade (removido_em),
      CONSTRAINT webhooks_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id),
      CONSTRAINT webhooks_usuario FOREIGN KEY (provedor_id, criado_por) REFERENCES usuarios (provedor_id, id)
    ) ENGINE=InnoDB`);

  // evento_id: null of a test. No foreign key to the event: see docs/adr/0022.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS webhook_mensagens (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      evento_id    BIGINT UNSIGNED NULL,
      msg_id       CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      tipo         VARCHAR(60) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      corpo        TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
      criada_em    DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY webhook_mensagens_id (id),
      UNIQUE KEY webhook_mensagens_evento (provedor_id, evento_id),
      UNIQUE KEY webhook_mensagens_msg (provedor_id, msg_id),
      KEY webhook_mensagens_idade (criada_em),
      CONSTRAINT webhook_mensagens_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);

  // em_andamento: an attempt is under way, until proxima_em at the latest. vez: attempts of the schedule that it is in; tentativas: of all.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS webhook_entregas (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      webhook_id   BIGINT UNSIGNED NOT NULL,
      mensagem_id  BIGINT UNSIGNED NOT NULL,
      tipo         VARCHAR(60) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      estado       ENUM('pendente','em_andamento','entregue','esgotada','cancelada') NOT NULL DEFAULT 'pendente',
      tentativas   SMALLINT UNSIGNED NOT NULL DEFAULT 0,
      vez          TINYINT UNSIGNED NOT NULL DEFAULT 0,
      proxima_em   DATETIME(3) NOT NULL,
      entregue_em  DATETIME(3) NULL,
      criada_em    DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY webhook_entregas_id (id),
      UNIQUE KEY webhook_entregas_mensagem (provedor_id, mensagem_id, webhook_id),
      KEY webhook_entregas_fila (estado, provedor_id, webhook_id, proxima_em, id),
      KEY webhook_entregas_registro (provedor_id, webhook_id, id),
      CONSTRAINT webhook_entregas_webhook FOREIGN KEY (provedor_id, webhook_id) REFERENCES webhooks (provedor_id, id),
      CONSTRAINT webhook_entregas_mensagem FOREIGN KEY (provedor_id, mensagem_id)
        REFERENCES webhook_mensagens (provedor_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB`);

  await knex.raw(`
    CREATE TABLE IF NOT EXISTS webhook_tentativas (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      entrega_id   BIGINT UNSIGNED NOT NULL,
      numero       SMALLINT UNSIGNED NOT NULL,
      em           DATETIME(3) NOT NULL,
      status       SMALLINT UNSIGNED NULL,
      erro         VARCHAR(30) CHARACTER SET ascii COLLATE ascii_bin NULL,
      duracao_ms   INT UNSIGNED NOT NULL,
      resposta     TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY webhook_tentativas_id (id),
      KEY webhook_tentativas_entrega (provedor_id, entrega_id, numero),
      CONSTRAINT webhook_tentativas_entrega FOREIGN KEY (provedor_id, entrega_id)
        REFERENCES webhook_entregas (provedor_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB`);

  if (!(await knex.schema.hasColumn('regras_cobranca', 'aviso_dias'))) {
    await knex.raw('ALTER TABLE regras_cobranca ADD COLUMN aviso_dias TINYINT UNSIGNED NOT NULL DEFAULT 3');
  }
  if (!(await knex.schema.hasColumn('faturas', 'aviso_vencimento'))) {
    await knex.raw('ALTER TABLE faturas ADD COLUMN aviso_vencimento DATE NULL');
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE faturas DROP COLUMN aviso_vencimento');
  await knex.raw('ALTER TABLE regras_cobranca DROP COLUMN aviso_dias');
  for (const tabela of ['webhook_tentativas', 'webhook_entregas', 'webhook_mensagens', 'webhooks']) {
    await knex.schema.dropTableIfExists(tabela);
  }
}
