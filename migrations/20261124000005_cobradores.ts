import type { Knex } from 'knex';

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

/** What an account says for PIX stands in `provedores` too, and what it says for boletos in `provedores_identidade`. */
const DO_PIX = ['pix_chave', 'pix_nome', 'pix_cidade'] as const;
const DO_BOLETO = ['boleto_banco', 'boleto_agencia_codigo', 'boleto_carteira'] as const;

const NOME_DA_PRIMEIRA = `'Principal'`;

/** Where accounts are chosen: a contract's own, and the one by which an invoice was issued. */
const QUEM_ESCOLHE = ['contratos', 'faturas'] as const;

/**
 * Charging accounts of a provider, chosen by contract; an invoice keeps the one that it was issued by. Every provider has one by default,
 * made with it, or here of what it had.
 *
 * Processes of the version before, and operators' SQL, read and write what was the provider's one account in its old columns. Triggers
 * keep these and the default account in step, both ways.
 */
export async function up(knex: Knex): Promise<void> {
  // `cnpj` null: the provider's own. `padrao_unico`: of a provider no two are the default. An account that is used no more stays, for
  // invoices that were issued by it.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS cobradores (
      provedor_id            BIGINT UNSIGNED NOT NULL,
      id                     BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      nome                   VARCHAR(120) NOT NULL,
      cnpj                   CHAR(14) ${ASCII} NULL,
      pix_chave              VARCHAR(77) NULL,
      pix_nome               VARCHAR(25) NULL,
      pix_cidade             VARCHAR(15) NULL,
      boleto_banco           CHAR(3) ${ASCII} NULL,
      boleto_agencia_codigo  VARCHAR(24) NULL,
      boleto_carteira        VARCHAR(8) NULL,
      padrao                 TINYINT(1) NOT NULL DEFAULT 0,
      ativo                  TINYINT(1) NOT NULL DEFAULT 1,
      codigo_externo         VARCHAR(80) ${ASCII} NULL,
      criado_em              DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
      atualizado_em          DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
      padrao_unico           TINYINT(1) GENERATED ALWAYS AS (IF(padrao = 1, 1, NULL)) STORED,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY cobradores_id (id),
      UNIQUE KEY cobradores_padrao (provedor_id, padrao_unico),
      UNIQUE KEY cobradores_codigo_externo (provedor_id, codigo_externo),
      CONSTRAINT cobradores_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id) ON DELETE CASCADE,
      CONSTRAINT cobradores_padrao_ativo CHECK (padrao = 0 OR ativo = 1)
    ) ENGINE=InnoDB`);

  for (const [nome] of DAS_CONTAS) await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
  await criar(knex, PARA_A_CONTA);
  // After these triggers, and with the rows locked: a change that comes meanwhile is either read here, or finds the account. Before the
  // others, which would write to the tables that this reads.
  await knex.raw(`
    INSERT IGNORE INTO cobradores (provedor_id, nome, ${[...DO_PIX, ...DO_BOLETO].join(', ')}, padrao)
    SELECT p.id, ${NOME_DA_PRIMEIRA}, ${DO_PIX.map((coluna) => `p.${coluna}`).join(', ')},
           ${DO_BOLETO.map((coluna) => `i.${coluna}`).join(', ')}, 1
      FROM provedores p
      LEFT JOIN provedores_identidade i ON i.provedor_id = p.id
     WHERE NOT EXISTS (SELECT 1 FROM cobradores c WHERE c.provedor_id = p.id)
     ORDER BY p.id
      LOCK IN SHARE MODE`);
  await criar(knex, DA_CONTA);

  // At the end of the tables, which the server need not write anew.
  for (const tabela of QUEM_ESCOLHE) {
    if (await knex.schema.hasColumn(tabela, 'cobrador_id')) continue;
    await knex.raw(`ALTER TABLE ${tabela} ADD COLUMN cobrador_id BIGINT UNSIGNED NULL`);
  }
  for (const tabela of QUEM_ESCOLHE) {
    if (await temIndice(knex, tabela, `${tabela}_cobrador`)) continue;
    // No row has a value to be checked; without the check it is built while others read and write, see 20261122000004.
    await knex.raw('SET SESSION foreign_key_checks = 0');
    try {
      await knex.raw(`
        ALTER TABLE ${tabela}
          ADD KEY ${tabela}_cobrador (provedor_id, cobrador_id),
          ADD CONSTRAINT ${tabela}_cobrador FOREIGN KEY (provedor_id, cobrador_id) REFERENCES cobradores (provedor_id, id),
          ALGORITHM=INPLACE, LOCK=NONE`);
    } finally {
      await knex.raw('SET SESSION foreign_key_checks = 1');
    }
  }
  // Whoever issues an invoice, the account is fixed then. Null is left of what was issued before this: that is the first account's.
  await knex.raw('DROP TRIGGER IF EXISTS cobrador_da_fatura');
  await knex.raw(`
    CREATE TRIGGER cobrador_da_fatura BEFORE INSERT ON faturas FOR EACH ROW
    IF NEW.cobrador_id IS NULL THEN
      SET NEW.cobrador_id = COALESCE(
        (SELECT cobrador_id FROM contratos WHERE provedor_id = NEW.provedor_id AND id = NEW.contrato_id),
        (SELECT id FROM cobradores WHERE provedor_id = NEW.provedor_id AND padrao_unico = 1));
    END IF`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TRIGGER IF EXISTS cobrador_da_fatura');
  for (const [nome] of DAS_CONTAS) await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
  for (const tabela of QUEM_ESCOLHE) {
    await knex.raw(`ALTER TABLE ${tabela} DROP FOREIGN KEY ${tabela}_cobrador, DROP KEY ${tabela}_cobrador`);
    await knex.raw(`ALTER TABLE ${tabela} DROP COLUMN cobrador_id`);
  }
  await knex.schema.dropTableIfExists('cobradores');
}

/** Another under the collation too: `Serra` and `SERRA` make two codes. */
const mudou = (colunas: readonly string[]): string =>
  colunas.map((coluna) => `NOT CAST(NEW.${coluna} AS BINARY) <=> CAST(OLD.${coluna} AS BINARY)`).join(' OR ');

const ha = (colunas: readonly string[], linha: 'NEW' | 'OLD'): string =>
  colunas.map((coluna) => `${linha}.${coluna} IS NOT NULL`).join(' OR ');

const lista = (colunas: readonly string[], prefixo = ''): string =>
  colunas.map((coluna) => prefixo + coluna).join(', ');

/**
 * What one side wrote the other must not write back: the server refuses to change a table that the statement is changing. The mark is the
 * instant of the statement, which all its triggers see: what an error leaves behind means nothing to the next one.
 */
const semVolta = (quando: string, corpo: string): string => `
  IF NOT @malha_espelho <=> UTC_TIMESTAMP(6) + 0 AND (${quando}) THEN
    SET @malha_espelho = UTC_TIMESTAMP(6) + 0;
    ${corpo}
    SET @malha_espelho = NULL;
  END IF;`;

/** To the default account. Only what changed: the rest may be newer there. */
const paraAConta = (colunas: readonly string[], provedor: string): string => `
  UPDATE cobradores
     SET ${colunas
       .map(
         (coluna) =>
           `${coluna} = IF(CAST(NEW.${coluna} AS BINARY) <=> CAST(OLD.${coluna} AS BINARY), ${coluna}, NEW.${coluna})`,
       )
       .join(', ')}
   WHERE provedor_id = ${provedor} AND padrao_unico = 1;`;

const paraOProvedor = `
  UPDATE provedores SET ${DO_PIX.map((coluna) => `${coluna} = NEW.${coluna}`).join(', ')} WHERE id = NEW.provedor_id;
  IF ${ha(DO_BOLETO, 'NEW')} THEN
    INSERT INTO provedores_identidade (provedor_id, ${lista(DO_BOLETO)})
    VALUES (NEW.provedor_id, ${lista(DO_BOLETO, 'NEW.')})
    ON DUPLICATE KEY UPDATE ${DO_BOLETO.map((coluna) => `${coluna} = NEW.${coluna}`).join(', ')};
  ELSE
    UPDATE provedores_identidade SET ${DO_BOLETO.map((coluna) => `${coluna} = NULL`).join(', ')}
     WHERE provedor_id = NEW.provedor_id;
  END IF;`;

/** What open invoices ask for may be another by now: the cache and incremental readers hear of it by the rules, see 20261121000016. */
const mudaramAsRegras = (linha: 'NEW' | 'OLD'): string =>
  `UPDATE regras_cobranca SET atualizado_em = UTC_TIMESTAMP(3) WHERE provedor_id = ${linha}.provedor_id;`;

type Gatilho = readonly [nome: string, quando: string, corpo: string];

const PARA_A_CONTA: readonly Gatilho[] = [
  // A default account comes with its provider, or writes it.
  [
    'leituras_cobradores_insert',
    'AFTER INSERT ON cobradores',
    `IF NEW.padrao = 0 THEN ${mudaramAsRegras('NEW')} END IF;`,
  ],
  ['leituras_cobradores_update', 'AFTER UPDATE ON cobradores', mudaramAsRegras('NEW')],
  ['leituras_cobradores_delete', 'AFTER DELETE ON cobradores', mudaramAsRegras('OLD')],
  [
    'espelho_provedores_insert',
    'AFTER INSERT ON provedores',
    semVolta(
      'TRUE',
      `INSERT INTO cobradores (provedor_id, nome, ${lista(DO_PIX)}, padrao)
       VALUES (NEW.id, ${NOME_DA_PRIMEIRA}, ${lista(DO_PIX, 'NEW.')}, 1);`,
    ),
  ],
  ['espelho_provedores_update', 'AFTER UPDATE ON provedores', semVolta(mudou(DO_PIX), paraAConta(DO_PIX, 'NEW.id'))],
  [
    'espelho_identidade_insert',
    'AFTER INSERT ON provedores_identidade',
    semVolta(
      ha(DO_BOLETO, 'NEW'),
      `UPDATE cobradores SET ${DO_BOLETO.map((coluna) => `${coluna} = NEW.${coluna}`).join(', ')}
        WHERE provedor_id = NEW.provedor_id AND padrao_unico = 1;`,
    ),
  ],
  [
    'espelho_identidade_update',
    'AFTER UPDATE ON provedores_identidade',
    semVolta(mudou(DO_BOLETO), paraAConta(DO_BOLETO, 'NEW.provedor_id')),
  ],
  [
    'espelho_identidade_delete',
    'AFTER DELETE ON provedores_identidade',
    semVolta(
      ha(DO_BOLETO, 'OLD'),
      `UPDATE cobradores SET ${DO_BOLETO.map((coluna) => `${coluna} = NULL`).join(', ')}
        WHERE provedor_id = OLD.provedor_id AND padrao_unico = 1;`,
    ),
  ],
];

const DA_CONTA: readonly Gatilho[] = [
  ['espelho_cobradores_insert', 'AFTER INSERT ON cobradores', semVolta('NEW.padrao = 1', paraOProvedor)],
  [
    'espelho_cobradores_update',
    'AFTER UPDATE ON cobradores',
    semVolta(`NEW.padrao = 1 AND (OLD.padrao = 0 OR ${mudou([...DO_PIX, ...DO_BOLETO])})`, paraOProvedor),
  ],
];

const DAS_CONTAS = [...PARA_A_CONTA, ...DA_CONTA];

async function criar(knex: Knex, gatilhos: readonly Gatilho[]): Promise<void> {
  for (const [nome, quando, corpo] of gatilhos) {
    await knex.raw(`CREATE TRIGGER ${nome} ${quando} FOR EACH ROW BEGIN ${corpo} END`);
  }
}

async function temIndice(knex: Knex, tabela: string, indice: string): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM ?? WHERE Key_name = ?', [tabela, indice]);
  return rows !== undefined && rows.length > 0;
}
