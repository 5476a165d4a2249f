import type { Knex } from 'knex';

/** What carrying out `rede_pedidos` needs: its outcome, the sessions to be ended, and where a NAS takes requests. */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('provedores_nas', 'porta_coa'))) {
    await knex.raw('ALTER TABLE provedores_nas ADD COLUMN porta_coa SMALLINT UNSIGNED NOT NULL DEFAULT 3799');
  }

  // The queue is read by provider, then by contract.
  if (!(await knex.schema.hasColumn('rede_pedidos', 'resultado'))) {
    await knex.raw(`
      ALTER TABLE rede_pedidos
        ADD COLUMN resultado ENUM('aplicado','aplicado_por_nas','superado','sem_login','sem_nas') NULL,
        DROP KEY rede_pedidos_fila,
        ADD KEY rede_pedidos_fila (aplicado_em, provedor_id, contrato_id, id)`);
    // FreeRADIUS knows a login by its name alone: whose else it is must be found by the name alone.
    await knex.raw('ALTER TABLE contratos ADD KEY contratos_de_login (login, provedor_id, situacao)');
    await knex.raw(`
      ALTER TABLE desbloqueios_confianca
        DROP KEY desbloqueios_confianca_fim,
        ADD KEY desbloqueios_confianca_fim (encerrado_em, provedor_id, ate, contrato_id)`);
  }

  // A session to be ended by a Disconnect-Request. Whose and which it is stands in radacct only.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS rede_desconexoes (
      provedor_id   BIGINT UNSIGNED NOT NULL,
      id            BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      pedido_id     BIGINT UNSIGNED NOT NULL,
      contrato_id   BIGINT UNSIGNED NOT NULL,
      radacctid     BIGINT NOT NULL,
      nasipaddress  VARCHAR(15) NOT NULL,
      estado        ENUM('pendente','aceita','encerrada','recusada','sem_resposta','sem_segredo','sem_nas','superada')
                    NOT NULL DEFAULT 'pendente',
      tentativas    TINYINT UNSIGNED NOT NULL DEFAULT 0,
      proxima_em    DATETIME(3) NOT NULL,
      causa_erro    SMALLINT UNSIGNED NULL,
      criado_em     DATETIME(3) NOT NULL,
      concluida_em  DATETIME(3) NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY rede_desconexoes_id (id),
      KEY rede_desconexoes_fila (estado, provedor_id, proxima_em, nasipaddress, id),
      KEY rede_desconexoes_contrato (provedor_id, contrato_id, estado),
      CONSTRAINT rede_desconexoes_pedido FOREIGN KEY (provedor_id, pedido_id) REFERENCES rede_pedidos (provedor_id, id),
      CONSTRAINT rede_desconexoes_contrato FOREIGN KEY (provedor_id, contrato_id) REFERENCES contratos (provedor_id, id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('rede_desconexoes');
  await knex.raw(`
    ALTER TABLE desbloqueios_confianca
      DROP KEY desbloqueios_confianca_fim,
      ADD KEY desbloqueios_confianca_fim (encerrado_em, ate)`);
  await knex.raw('ALTER TABLE contratos DROP KEY contratos_de_login');
  await knex.raw(`
    ALTER TABLE rede_pedidos
      DROP COLUMN resultado,
      DROP KEY rede_pedidos_fila,
      ADD KEY rede_pedidos_fila (aplicado_em, id)`);
  await knex.raw('ALTER TABLE provedores_nas DROP COLUMN porta_coa');
}
