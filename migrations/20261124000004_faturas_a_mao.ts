import type { Knex } from 'knex';

/** Columns at the ends of tables, which the server need not write anew. A process of the version before leaves them as they are. */
const COLUNAS: readonly (readonly [tabela: string, coluna: string, tipo: string])[] = [
  // What its adjustments in force come to: readers know by it whether there are any.
  ['faturas', 'abatido', 'DECIMAL(12,2) NOT NULL DEFAULT 0.00'],
  // Of a surplus, what has become credit of other invoices.
  ['faturas_lancamentos', 'usado', 'DECIMAL(12,2) NOT NULL DEFAULT 0.00'],
];

const TABELAS = ['recebimentos_manuais', 'renegociacoes', 'renegociacoes_faturas', 'faturas_ajustes'] as const;

/** Whose rows are told of when SQL writes them past Malha: invoices are judged by them; see 20261122000002. */
const COM_AVISO = ['recebimentos_manuais', 'faturas_ajustes'] as const;
const MOMENTOS = ['INSERT', 'UPDATE', 'DELETE'] as const;

/** What people do to invoices: payments registered by hand, discounts and credits, agreements about debts. */
export async function up(knex: Knex): Promise<void> {
  for (const [tabela, coluna, tipo] of COLUNAS) {
    if (await knex.schema.hasColumn(tabela, coluna)) continue;
    await knex.raw(`ALTER TABLE ${tabela} ADD COLUMN ${coluna} ${tipo}`);
  }

  // `chave` is its sender's, so that what is sent twice is written once. What was undone counts as never made, and stays.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS recebimentos_manuais (
      provedor_id      BIGINT UNSIGNED NOT NULL,
      id               BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      fatura_id        BIGINT UNSIGNED NOT NULL,
      forma            ENUM('dinheiro','transferencia','cartao','outro') NOT NULL,
      valor            DECIMAL(12,2) NOT NULL,
      pago_em          DATETIME(3) NOT NULL,
      observacao       VARCHAR(500) NULL,
      chave            VARCHAR(80) CHARACTER SET ascii COLLATE ascii_bin NULL,
      autor            VARCHAR(120) NOT NULL,
      criado_em        DATETIME(3) NOT NULL,
      desfeito_em      DATETIME(3) NULL,
      desfeito_por     VARCHAR(120) NULL,
      desfeito_motivo  VARCHAR(500) NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY recebimentos_manuais_id (id),
      UNIQUE KEY recebimentos_manuais_chave (provedor_id, chave),
      KEY recebimentos_manuais_fatura (provedor_id, fatura_id, pago_em),
      CONSTRAINT recebimentos_manuais_fatura FOREIGN KEY (provedor_id, fatura_id) REFERENCES faturas (provedor_id, id)
    ) ENGINE=InnoDB`);

  // Whether an agreement is fulfilled, its instalments say.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS renegociacoes (
      provedor_id      BIGINT UNSIGNED NOT NULL,
      id               BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      cliente_id       BIGINT UNSIGNED NOT NULL,
      devido           DECIMAL(12,2) NOT NULL,
      desconto         DECIMAL(12,2) NOT NULL,
      motivo           VARCHAR(500) NULL,
      autor            VARCHAR(120) NOT NULL,
      criada_em        DATETIME(3) NOT NULL,
      quebrada_em      DATETIME(3) NULL,
      quebrada_por     VARCHAR(120) NULL,
      quebrada_motivo  VARCHAR(500) NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY renegociacoes_id (id),
      KEY renegociacoes_cliente (provedor_id, cliente_id, id),
      CONSTRAINT renegociacoes_cliente FOREIGN KEY (provedor_id, cliente_id) REFERENCES clientes (provedor_id, id)
    ) ENGINE=InnoDB`);

  // `numero` is the instalment's, from 1, or 0 of a down payment; null of an invoice that the agreement took the place of.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS renegociacoes_faturas (
      provedor_id      BIGINT UNSIGNED NOT NULL,
      id               BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      renegociacao_id  BIGINT UNSIGNED NOT NULL,
      fatura_id        BIGINT UNSIGNED NOT NULL,
      papel            ENUM('origem','parcela') NOT NULL,
      numero           SMALLINT UNSIGNED NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY renegociacoes_faturas_id (id),
      UNIQUE KEY renegociacoes_faturas_uma (provedor_id, renegociacao_id, fatura_id),
      KEY renegociacoes_faturas_fatura (provedor_id, fatura_id),
      CONSTRAINT renegociacoes_faturas_renegociacao FOREIGN KEY (provedor_id, renegociacao_id)
        REFERENCES renegociacoes (provedor_id, id),
      CONSTRAINT renegociacoes_faturas_fatura FOREIGN KEY (provedor_id, fatura_id) REFERENCES faturas (provedor_id, id)
    ) ENGINE=InnoDB`);

  // `dado_em` is the instant from which it counts. `origem_fatura_id`: the invoice whose surplus a credit is.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS faturas_ajustes (
      provedor_id       BIGINT UNSIGNED NOT NULL,
      id                BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      fatura_id         BIGINT UNSIGNED NOT NULL,
      tipo              ENUM('desconto','credito','renegociacao') NOT NULL,
      valor             DECIMAL(12,2) NOT NULL,
      dado_em           DATETIME(3) NOT NULL,
      motivo            VARCHAR(500) NULL,
      origem_fatura_id  BIGINT UNSIGNED NULL,
      renegociacao_id   BIGINT UNSIGNED NULL,
      autor             VARCHAR(120) NOT NULL,
      criado_em         DATETIME(3) NOT NULL,
      desfeito_em       DATETIME(3) NULL,
      desfeito_por      VARCHAR(120) NULL,
      desfeito_motivo   VARCHAR(500) NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY faturas_ajustes_id (id),
      KEY faturas_ajustes_fatura (provedor_id, fatura_id, dado_em),
      KEY faturas_ajustes_origem (provedor_id, origem_fatura_id),
      KEY faturas_ajustes_renegociacao (provedor_id, renegociacao_id),
      CONSTRAINT faturas_ajustes_fatura FOREIGN KEY (provedor_id, fatura_id) REFERENCES faturas (provedor_id, id),
      CONSTRAINT faturas_ajustes_origem FOREIGN KEY (provedor_id, origem_fatura_id) REFERENCES faturas (provedor_id, id),
      CONSTRAINT faturas_ajustes_renegociacao FOREIGN KEY (provedor_id, renegociacao_id)
        REFERENCES renegociacoes (provedor_id, id)
    ) ENGINE=InnoDB`);

  for (const { nome, tabela, momento } of gatilhos()) {
    await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
    await knex.raw(`CREATE TRIGGER ${nome} AFTER ${momento} ON ${tabela} FOR EACH ROW ${corpo(momento)}`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const { nome } of gatilhos()) await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
  for (const tabela of TABELAS.toReversed()) await knex.schema.dropTableIfExists(tabela);
  for (const [tabela, coluna] of COLUNAS) await knex.raw(`ALTER TABLE ${tabela} DROP COLUMN ${coluna}`);
}

const gatilhos = () =>
  COM_AVISO.flatMap((tabela) =>
    MOMENTOS.map((momento) => ({ tabela, momento, nome: `por_fora_${tabela}_${momento.toLowerCase()}` })),
  );

/** Rows of one provider in one statement whose tags are named; at the next one, all of the provider's are, once. */
const LINHAS_COM_NOME = 200;
const TUDO = `'["provedor","clientes","clientes:busca","faturas","chamados","extratos"]'`;

/** The same as of the rows of `pix_recebidos` in 20261122000002. */
function corpo(momento: (typeof MOMENTOS)[number]): string {
  const anotar = (linha: 'NEW' | 'OLD', json = etiquetas(linha)): string =>
    `INSERT INTO eventos (provedor_id, tipo, etiquetas) VALUES (${linha}.provedor_id, 'linhas.alteradas', ${json});`;
  const linha = momento === 'DELETE' ? 'OLD' : 'NEW';
  const mudou = 'NOT OLD.provedor_id <=> NEW.provedor_id OR NOT OLD.fatura_id <=> NEW.fatura_id';
  return `
    IF @malha_avisa IS NULL THEN
      IF @malha_instrucao = UTC_TIMESTAMP(6) + 0 AND @malha_provedor = ${linha}.provedor_id THEN
        SET @malha_linhas = @malha_linhas + 1;
      ELSE
        SET @malha_instrucao = UTC_TIMESTAMP(6) + 0, @malha_provedor = ${linha}.provedor_id, @malha_linhas = 1;
      END IF;
      IF @malha_linhas <= ${LINHAS_COM_NOME} THEN
        ${anotar(linha)}
        ${momento === 'UPDATE' ? `IF ${mudou} THEN ${anotar('OLD')} END IF;` : ''}
      ELSEIF @malha_linhas = ${LINHAS_COM_NOME + 1} THEN
        ${anotar(linha, TUDO)}
      END IF;
    END IF`;
}

function etiquetas(linha: 'NEW' | 'OLD'): string {
  const cliente = `(SELECT cliente_id FROM faturas WHERE provedor_id = ${linha}.provedor_id AND id = ${linha}.fatura_id)`;
  return `CONCAT('["fatura:', COALESCE(${linha}.fatura_id, 0), '", "cliente:', COALESCE(${cliente}, 0), '", "faturas"]')`;
}
