import type { Knex } from 'knex';

/** What the writing routes need: answers kept for repeated requests, what staff shall notice, what the network shall do. */
export async function up(knex: Knex): Promise<void> {
  // The answer to a request with an Idempotency-Key, written with its effect. Key and request are kept as SHA-256.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS requisicoes_idempotentes (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      chave_id     BIGINT UNSIGNED NOT NULL,
      marca        BINARY(32) NOT NULL,
      pedido       BINARY(32) NOT NULL,
      status       SMALLINT UNSIGNED NULL,
      corpo        MEDIUMTEXT NULL,
      criado_em    DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, chave_id, marca),
      KEY requisicoes_idempotentes_idade (criado_em),
      CONSTRAINT requisicoes_idempotentes_chave FOREIGN KEY (provedor_id, chave_id)
        REFERENCES chaves_api (provedor_id, id)
    ) ENGINE=InnoDB`);

  await knex.raw(`
    CREATE TABLE IF NOT EXISTS notificacoes (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      tipo         VARCHAR(60) NOT NULL,
      origem       VARCHAR(20) NOT NULL,
      recurso      VARCHAR(40) NOT NULL,
      recurso_id   BIGINT UNSIGNED NOT NULL,
      criado_em    DATETIME(3) NOT NULL,
      lida_em      DATETIME(3) NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY notificacoes_id (id),
      KEY notificacoes_fila (provedor_id, lida_em, id),
      CONSTRAINT notificacoes_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);

  // What a contract's login shall be allowed on the network, asked for with the decision and carried out by the worker.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS rede_pedidos (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      contrato_id  BIGINT UNSIGNED NOT NULL,
      acao         ENUM('liberar','bloquear') NOT NULL,
      pedido_em    DATETIME(3) NOT NULL,
      aplicado_em  DATETIME(3) NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY rede_pedidos_id (id),
      KEY rede_pedidos_fila (aplicado_em, id),
      KEY rede_pedidos_contrato (provedor_id, contrato_id, id),
      CONSTRAINT rede_pedidos_contrato FOREIGN KEY (provedor_id, contrato_id) REFERENCES contratos (provedor_id, id)
    ) ENGINE=InnoDB`);

  // A contract has one unblock that has not been ended, at most.
  await knex.raw(`
    UPDATE desbloqueios_confianca d
      JOIN desbloqueios_confianca maior ON maior.provedor_id = d.provedor_id AND maior.contrato_id = d.contrato_id
        AND maior.encerrado_em IS NULL AND maior.id > d.id
    SET d.encerrado_em = d.ate
    WHERE d.encerrado_em IS NULL`);
  if (!(await knex.schema.hasColumn('desbloqueios_confianca', 'por_encerrar'))) {
    await knex.raw(`
      ALTER TABLE desbloqueios_confianca
        ADD COLUMN por_encerrar TINYINT(1) GENERATED ALWAYS AS (IF(encerrado_em IS NULL, 1, NULL)) STORED,
        ADD UNIQUE KEY desbloqueios_confianca_um (provedor_id, contrato_id, por_encerrar)`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const tabela of ['rede_pedidos', 'notificacoes', 'requisicoes_idempotentes']) {
    await knex.schema.dropTableIfExists(tabela);
  }
  await knex.raw(`
    ALTER TABLE desbloqueios_confianca DROP KEY desbloqueios_confianca_um, DROP COLUMN por_encerrar`);
}
