import type { Knex } from 'knex';

/** Null in the rows that are older than protocols, and in those of a process of the version before. */
const COM_PROTOCOLO = ['chamados', 'desbloqueios_confianca'] as const;

/** Every contact has a number that the subscriber can name. */
export async function up(knex: Knex): Promise<void> {
  // The last number given on a provider's local day. No foreign key: its check would hold the provider's row, for which writes would wait.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS protocolos_dias (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      dia          DATE NOT NULL,
      ultimo       INT UNSIGNED NOT NULL,
      PRIMARY KEY (provedor_id, dia),
      KEY protocolos_dias_idade (dia)
    ) ENGINE=InnoDB`);

  for (const tabela of COM_PROTOCOLO) {
    if (await knex.schema.hasColumn(tabela, 'protocolo')) continue;
    await knex.raw(`ALTER TABLE ${tabela} ADD COLUMN protocolo CHAR(14) CHARACTER SET ascii COLLATE ascii_bin NULL`);
  }
  const [achados] = await knex.raw<unknown[][]>("SHOW INDEX FROM chamados WHERE Key_name = 'chamados_protocolo'");
  if ((achados ?? []).length === 0) {
    await knex.raw(
      'ALTER TABLE chamados ADD UNIQUE KEY chamados_protocolo (provedor_id, protocolo), ALGORITHM=INPLACE, LOCK=NONE',
    );
  }

  // assunto and resumo: of what somebody noted; a ticket has its own. pedido_id: no foreign key, for what the network was asked goes earlier.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS atendimentos (
      provedor_id     BIGINT UNSIGNED NOT NULL,
      id              BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      protocolo       CHAR(14) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      tipo            ENUM('contato','chamado','desbloqueio','desconexao') NOT NULL,
      canal           ENUM('chatbot','ura','app','telefone','loja','outro') NULL,
      cliente_id      BIGINT UNSIGNED NULL,
      contrato_id     BIGINT UNSIGNED NULL,
      chamado_id      BIGINT UNSIGNED NULL,
      desbloqueio_id  BIGINT UNSIGNED NULL,
      pedido_id       BIGINT UNSIGNED NULL,
      assunto         VARCHAR(300) NULL,
      resumo          TEXT NULL,
      autor           VARCHAR(120) NULL,
      aberto_em       DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY atendimentos_id (id),
      UNIQUE KEY atendimentos_protocolo (provedor_id, protocolo),
      KEY atendimentos_cliente (provedor_id, cliente_id, aberto_em, id),
      KEY atendimentos_contrato (provedor_id, contrato_id),
      KEY atendimentos_chamado (provedor_id, chamado_id),
      KEY atendimentos_desbloqueio (provedor_id, desbloqueio_id),
      CONSTRAINT atendimentos_cliente FOREIGN KEY (provedor_id, cliente_id) REFERENCES clientes (provedor_id, id),
      CONSTRAINT atendimentos_contrato FOREIGN KEY (provedor_id, contrato_id) REFERENCES contratos (provedor_id, id),
      CONSTRAINT atendimentos_chamado FOREIGN KEY (provedor_id, chamado_id) REFERENCES chamados (provedor_id, id),
      CONSTRAINT atendimentos_desbloqueio FOREIGN KEY (provedor_id, desbloqueio_id)
        REFERENCES desbloqueios_confianca (provedor_id, id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('atendimentos');
  await knex.raw('ALTER TABLE chamados DROP KEY chamados_protocolo');
  for (const tabela of COM_PROTOCOLO) await knex.raw(`ALTER TABLE ${tabela} DROP COLUMN protocolo`);
  await knex.schema.dropTableIfExists('protocolos_dias');
}
