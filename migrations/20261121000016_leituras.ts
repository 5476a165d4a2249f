import type { Knex } from 'knex';

/** Tables whose rows an incremental reader has to hear of when they are gone. */
const LISTAS = ['clientes', 'faturas', 'chamados'] as const;

/** What belongs to a client and stands in the client's answer. */
const DO_CLIENTE = ['clientes_telefones', 'contratos'] as const;

/** By clientes_alteracoes, which knows of contracts and phones too. */
const SUBSTITUIDO = 'clientes_atualizado';

const mudou = (provedor: string, cliente: string): string =>
  `INSERT INTO clientes_alteracoes (provedor_id, id, alterado_em) VALUES (${provedor}, ${cliente}, UTC_TIMESTAMP(3))
   ON DUPLICATE KEY UPDATE alterado_em = UTC_TIMESTAMP(3);`;

/** A client's answer changed, or that of both where a row moved from one client to another. */
const doCliente: Readonly<Record<string, string>> = {
  INSERT: mudou('NEW.provedor_id', 'NEW.cliente_id'),
  UPDATE: `${mudou('NEW.provedor_id', 'NEW.cliente_id')}
           IF OLD.cliente_id <> NEW.cliente_id THEN ${mudou('OLD.provedor_id', 'OLD.cliente_id')} END IF;`,
  DELETE: mudou('OLD.provedor_id', 'OLD.cliente_id'),
};

/** What whole and incremental readings need: when each client's answer changed, what is gone, and indexes that hold their filters. */
export async function up(knex: Knex): Promise<void> {
  // Row triggers, because contracts, phones and plans are written by several, and by operators: what forgot to say so would be missed.
  // A table of its own, without foreign keys, so that a contract's change waits for nobody who only points to the client. Its rows are
  // the clients, one each, and narrow: it is also what counts them, and finds the place of a page among them.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS clientes_alteracoes (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL,
      alterado_em  DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      KEY clientes_alteracoes_quando (provedor_id, alterado_em, id)
    ) ENGINE=InnoDB`);
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS registros_removidos (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      lista        ENUM('clientes','faturas','chamados') NOT NULL,
      registro_id  BIGINT UNSIGNED NOT NULL,
      removido_em  DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY registros_removidos_id (id),
      KEY registros_removidos_lista (provedor_id, lista, removido_em, id),
      KEY registros_removidos_idade (removido_em)
    ) ENGINE=InnoDB`);

  await criarGatilho(knex, 'clientes', 'INSERT', mudou('NEW.provedor_id', 'NEW.id'));
  await criarGatilho(knex, 'clientes', 'UPDATE', mudou('NEW.provedor_id', 'NEW.id'));
  for (const tabela of DO_CLIENTE) {
    for (const [momento, corpo] of Object.entries(doCliente)) await criarGatilho(knex, tabela, momento, corpo);
  }
  for (const momento of ['INSERT', 'UPDATE']) {
    await criarGatilho(
      knex,
      'desbloqueios_confianca',
      momento,
      `INSERT INTO clientes_alteracoes (provedor_id, id, alterado_em)
       SELECT provedor_id, cliente_id, UTC_TIMESTAMP(3) FROM contratos
       WHERE provedor_id = NEW.provedor_id AND id = NEW.contrato_id
       ON DUPLICATE KEY UPDATE alterado_em = UTC_TIMESTAMP(3);`,
    );
  }
  await criarGatilho(
    knex,
    'planos',
    'UPDATE',
    `INSERT INTO clientes_alteracoes (provedor_id, id, alterado_em)
     SELECT provedor_id, cliente_id, UTC_TIMESTAMP(3) FROM contratos
     WHERE provedor_id = NEW.provedor_id AND plano_id = NEW.id
     ON DUPLICATE KEY UPDATE alterado_em = UTC_TIMESTAMP(3);`,
  );
  for (const lista of LISTAS) {
    const esquecer = `DELETE FROM clientes_alteracoes WHERE provedor_id = OLD.provedor_id AND id = OLD.id;`;
    await criarGatilho(
      knex,
      lista,
      'DELETE',
      `INSERT INTO registros_removidos (provedor_id, lista, registro_id, removido_em)
       VALUES (OLD.provedor_id, '${lista}', OLD.id, UTC_TIMESTAMP(3));
       ${lista === 'clientes' ? esquecer : ''}`,
    );
  }
  // After the triggers: who comes between them writes its own line, and this leaves that one as it is.
  await knex.raw(`
    INSERT IGNORE INTO clientes_alteracoes (provedor_id, id, alterado_em)
    SELECT provedor_id, id, UTC_TIMESTAMP(3) FROM clientes`);

  // What a provider says of itself stands in the second copy of each of its open invoices.
  if (!(await knex.schema.hasColumn('regras_cobranca', 'atualizado_em'))) {
    await knex.raw(`
      ALTER TABLE regras_cobranca
        ADD COLUMN atualizado_em DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3)`);
  }
  await criarGatilho(
    knex,
    'provedores',
    'UPDATE',
    'UPDATE regras_cobranca SET atualizado_em = UTC_TIMESTAMP(3) WHERE provedor_id = NEW.id;',
  );

  // The order of each list with all that says whether a row changed since: a page is a range of one index.
  await knex.raw(`
    ALTER TABLE faturas
      DROP KEY faturas_emissao, ADD KEY faturas_emissao (provedor_id, emitida_em, id, grupo, vencimento, atualizado_em),
      DROP KEY faturas_grupo, ADD KEY faturas_grupo (provedor_id, grupo, emitida_em, id, vencimento, atualizado_em),
      DROP KEY faturas_atualizado, ADD KEY faturas_atualizado (provedor_id, atualizado_em, emitida_em, id, grupo, vencimento)`);
  await knex.raw(`
    ALTER TABLE chamados
      DROP KEY chamados_abertura, ADD KEY chamados_abertura (provedor_id, aberto_em, id, atualizado_em),
      DROP KEY chamados_atualizado, ADD KEY chamados_atualizado (provedor_id, atualizado_em, aberto_em, id)`);
  if (await temIndice(knex, 'clientes', SUBSTITUIDO)) await knex.raw(`ALTER TABLE clientes DROP KEY ${SUBSTITUIDO}`);
}

export async function down(knex: Knex): Promise<void> {
  const gatilhos = [
    ...LISTAS.map((tabela) => `${tabela}_delete`),
    'clientes_insert',
    'clientes_update',
    'planos_update',
    'provedores_update',
    'desbloqueios_confianca_insert',
    'desbloqueios_confianca_update',
    ...DO_CLIENTE.flatMap((tabela) => Object.keys(doCliente).map((momento) => `${tabela}_${momento.toLowerCase()}`)),
  ];
  for (const nome of gatilhos) await knex.raw(`DROP TRIGGER IF EXISTS leituras_${nome}`);
  await knex.raw(`ALTER TABLE clientes ADD KEY ${SUBSTITUIDO} (provedor_id, atualizado_em, id)`);
  await knex.raw(`
    ALTER TABLE chamados
      DROP KEY chamados_abertura, ADD KEY chamados_abertura (provedor_id, aberto_em, id),
      DROP KEY chamados_atualizado, ADD KEY chamados_atualizado (provedor_id, atualizado_em, id)`);
  await knex.raw(`
    ALTER TABLE faturas
      DROP KEY faturas_atualizado, ADD KEY faturas_atualizado (provedor_id, atualizado_em, id),
      DROP KEY faturas_emissao, ADD KEY faturas_emissao (provedor_id, emitida_em, id, vencimento),
      DROP KEY faturas_grupo, ADD KEY faturas_grupo (provedor_id, grupo, emitida_em, id, vencimento)`);
  await knex.raw('ALTER TABLE regras_cobranca DROP COLUMN atualizado_em');
  for (const tabela of ['registros_removidos', 'clientes_alteracoes']) await knex.schema.dropTableIfExists(tabela);
}

async function criarGatilho(knex: Knex, tabela: string, momento: string, corpo: string): Promise<void> {
  const nome = `leituras_${tabela}_${momento.toLowerCase()}`;
  await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
  await knex.raw(`CREATE TRIGGER ${nome} AFTER ${momento} ON ${tabela} FOR EACH ROW BEGIN ${corpo} END`);
}

async function temIndice(knex: Knex, tabela: string, indice: string): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM ?? WHERE Key_name = ?', [tabela, indice]);
  return rows !== undefined && rows.length > 0;
}
