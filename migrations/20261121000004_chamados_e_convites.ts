import type { Knex } from 'knex';

/** Tickets with their history, and pre-registration invites. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS chamados (
      provedor_id    BIGINT UNSIGNED NOT NULL,
      id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      cliente_id     BIGINT UNSIGNED NOT NULL,
      contrato_id    BIGINT UNSIGNED NULL,
      situacao       ENUM('aberto','pendente','pendente_terceiro','em_andamento','reaberto','solucionado','cancelado')
                     NOT NULL DEFAULT 'aberto',
      em_aberto      TINYINT(1) GENERATED ALWAYS AS (situacao NOT IN ('solucionado','cancelado')) STORED,
      prioridade     ENUM('baixa','normal','alta','urgente') NOT NULL DEFAULT 'normal',
      categoria      ENUM('TECNICO','FINANCEIRO','COMERCIAL','INSTALACAO','CANCELAMENTO','OUTRO') NULL,
      origem         ENUM('api','painel','app') NOT NULL DEFAULT 'api',
      assunto        VARCHAR(300) NOT NULL,
      descricao      TEXT NOT NULL,
      solucao        TEXT NULL,
      aberto_em      DATETIME(3) NOT NULL,
      fechado_em     DATETIME(3) NULL,
      agendado_para  DATETIME(3) NULL,
      atualizado_em  DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY chamados_id (id),
      KEY chamados_abertura (provedor_id, aberto_em, id),
      KEY chamados_situacao (provedor_id, situacao, aberto_em, id),
      KEY chamados_em_aberto (provedor_id, em_aberto, aberto_em, id),
      KEY chamados_cliente (provedor_id, cliente_id, aberto_em, id, situacao, em_aberto),
      KEY chamados_contrato (provedor_id, contrato_id, aberto_em, id, situacao, em_aberto),
      KEY chamados_atualizado (provedor_id, atualizado_em, id),
      CONSTRAINT chamados_cliente FOREIGN KEY (provedor_id, cliente_id) REFERENCES clientes (provedor_id, id),
      CONSTRAINT chamados_contrato FOREIGN KEY (provedor_id, contrato_id) REFERENCES contratos (provedor_id, id)
    ) ENGINE=InnoDB`);

  await knex.raw(`
    CREATE TABLE IF NOT EXISTS chamados_historico (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      chamado_id   BIGINT UNSIGNED NOT NULL,
      acao         VARCHAR(40) NOT NULL,
      descricao    TEXT NULL,
      autor        VARCHAR(120) NULL,
      ocorrido_em  DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY chamados_historico_id (id),
      KEY chamados_historico_chamado (provedor_id, chamado_id, ocorrido_em, id),
      CONSTRAINT chamados_historico_chamado FOREIGN KEY (provedor_id, chamado_id) REFERENCES chamados (provedor_id, id)
    ) ENGINE=InnoDB`);

  // Only the token's SHA-256 is kept: whoever reads the table cannot open the registration page.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS convites (
      provedor_id     BIGINT UNSIGNED NOT NULL,
      id              BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      token_hash      BINARY(32) NOT NULL,
      plano_id        BIGINT UNSIGNED NULL,
      dia_vencimento  TINYINT UNSIGNED NULL,
      situacao        ENUM('aberto','usado','expirado') NOT NULL DEFAULT 'aberto',
      expira_em       DATETIME(3) NULL,
      usado_em        DATETIME(3) NULL,
      cliente_id      BIGINT UNSIGNED NULL,
      chave_id        BIGINT UNSIGNED NULL,
      criado_em       DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY convites_id (id),
      UNIQUE KEY convites_token (token_hash),
      KEY convites_expiracao (situacao, expira_em),
      CONSTRAINT convites_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id),
      CONSTRAINT convites_plano FOREIGN KEY (provedor_id, plano_id) REFERENCES planos (provedor_id, id),
      CONSTRAINT convites_cliente FOREIGN KEY (provedor_id, cliente_id) REFERENCES clientes (provedor_id, id),
      CONSTRAINT convites_chave FOREIGN KEY (provedor_id, chave_id) REFERENCES chaves_api (provedor_id, id),
      CONSTRAINT convites_dia CHECK (dia_vencimento BETWEEN 1 AND 30)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  for (const tabela of ['convites', 'chamados_historico', 'chamados']) await knex.schema.dropTableIfExists(tabela);
}
