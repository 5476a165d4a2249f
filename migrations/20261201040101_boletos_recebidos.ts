import type { Knex } from 'knex';

const TABELAS = ['boletos_recebidos', 'devolucoes_pedidas'] as const;
const MOMENTOS = ['INSERT', 'UPDATE', 'DELETE'] as const;

/** Of payments registered by hand, what was given back; a process of the version before leaves it as it is. */
const DEVOLVIDO = ['recebimentos_manuais', 'devolvido', 'DECIMAL(12,2) NOT NULL DEFAULT 0.00'] as const;
/** The sums of a day read all that they are made of in it. */
const INDICE = ['recebimentos_manuais', 'recebimentos_manuais_no_dia'] as const;

/** Money that comes by boleto, and returns of money that people ask for; see docs/conciliacao.md. */
export async function up(knex: Knex): Promise<void> {
  const [tabela, coluna, tipo] = DEVOLVIDO;
  if (!(await knex.schema.hasColumn(tabela, coluna))) {
    await knex.raw(`ALTER TABLE ${tabela} ADD COLUMN ${coluna} ${tipo}`);
  }
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM ?? WHERE Key_name = ?', [...INDICE]);
  if (rows?.length === 0) {
    await knex.raw(
      `ALTER TABLE ${INDICE[0]} ADD KEY ${INDICE[1]} (provedor_id, pago_em, desfeito_em, valor, devolvido),
         ALGORITHM=INPLACE, LOCK=NONE`,
    );
  }

  // `chave`: bank, agreement, nosso número, movement, day and amount, so that a file that is taken twice is written once. `pago_no_dia` is
  // what the bank says; `pago_em` is from when it counts. `fatura_id` is null of what is not identified. What a bank undid keeps its row; `desfeito_por`
  // is by what, so that it is undone once.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS boletos_recebidos (
      provedor_id   BIGINT UNSIGNED NOT NULL,
      id            BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      fatura_id     BIGINT UNSIGNED NULL,
      cobrador_id   BIGINT UNSIGNED NOT NULL,
      chave         VARCHAR(120) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      nosso_numero  VARCHAR(25) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      valor         DECIMAL(12,2) NOT NULL,
      devolvido     DECIMAL(12,2) NOT NULL DEFAULT 0.00,
      tarifa        DECIMAL(12,2) NOT NULL DEFAULT 0.00,
      pago_no_dia   DATE NOT NULL,
      creditado_em  DATE NULL,
      pago_em       DATETIME(3) NOT NULL,
      arquivo_id    BIGINT UNSIGNED NULL,
      linha         INT UNSIGNED NOT NULL,
      vinculado_em  DATETIME(3) NULL,
      criado_em     DATETIME(3) NOT NULL,
      desfeito_em   DATETIME(3) NULL,
      desfeito_por  VARCHAR(130) CHARACTER SET ascii COLLATE ascii_bin NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY boletos_recebidos_id (id),
      UNIQUE KEY boletos_recebidos_chave (provedor_id, chave),
      KEY boletos_recebidos_fatura (provedor_id, fatura_id, pago_em),
      KEY boletos_recebidos_nosso_numero (provedor_id, cobrador_id, nosso_numero),
      KEY boletos_recebidos_pagos (provedor_id, pago_em, desfeito_em, valor, devolvido),
      KEY boletos_recebidos_criados (provedor_id, criado_em, pago_em),
      KEY boletos_recebidos_desfeitos (provedor_id, desfeito_em, pago_em),
      CONSTRAINT boletos_recebidos_fatura FOREIGN KEY (provedor_id, fatura_id) REFERENCES faturas (provedor_id, id),
      CONSTRAINT boletos_recebidos_cobrador FOREIGN KEY (provedor_id, cobrador_id)
        REFERENCES cobradores (provedor_id, id)
    ) ENGINE=InnoDB`);

  // `devolucao` is our own id, by which the PSP knows the return, too. `chave` is its sender's, so that a double click is one.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS devolucoes_pedidas (
      provedor_id     BIGINT UNSIGNED NOT NULL,
      id              BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      meio            ENUM('pix','boleto','manual') NOT NULL,
      pix_id          BIGINT UNSIGNED NULL,
      boleto_id       BIGINT UNSIGNED NULL,
      manual_id       BIGINT UNSIGNED NULL,
      fatura_id       BIGINT UNSIGNED NULL,
      devolucao       VARCHAR(35) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      chave           VARCHAR(80) CHARACTER SET ascii COLLATE ascii_bin NULL,
      valor           DECIMAL(12,2) NOT NULL,
      situacao        ENUM('pedida','enviada','devolvida','nao_realizada') NOT NULL,
      motivo          VARCHAR(500) NULL,
      forma           ENUM('dinheiro','transferencia','pix','outro') NULL,
      recusa          VARCHAR(200) NULL,
      autor           VARCHAR(120) NOT NULL,
      pedida_em       DATETIME(3) NOT NULL,
      enviada_em      DATETIME(3) NULL,
      respondida_em   DATETIME(3) NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY devolucoes_pedidas_id (id),
      UNIQUE KEY devolucoes_pedidas_uma (provedor_id, devolucao),
      UNIQUE KEY devolucoes_pedidas_chave (provedor_id, chave),
      KEY devolucoes_pedidas_pix (provedor_id, pix_id, situacao),
      KEY devolucoes_pedidas_boleto (provedor_id, boleto_id, situacao),
      KEY devolucoes_pedidas_manual (provedor_id, manual_id, situacao),
      KEY devolucoes_pedidas_fila (situacao, provedor_id, id),
      KEY devolucoes_pedidas_respondidas (provedor_id, respondida_em),
      KEY devolucoes_pedidas_fatura (provedor_id, fatura_id, situacao),
      CONSTRAINT devolucoes_pedidas_fatura FOREIGN KEY (provedor_id, fatura_id) REFERENCES faturas (provedor_id, id),
      CONSTRAINT devolucoes_pedidas_pix FOREIGN KEY (provedor_id, pix_id) REFERENCES pix_recebidos (provedor_id, id),
      CONSTRAINT devolucoes_pedidas_boleto FOREIGN KEY (provedor_id, boleto_id)
        REFERENCES boletos_recebidos (provedor_id, id),
      CONSTRAINT devolucoes_pedidas_manual FOREIGN KEY (provedor_id, manual_id)
        REFERENCES recebimentos_manuais (provedor_id, id)
    ) ENGINE=InnoDB`);

  for (const { nome, momento } of gatilhos()) {
    await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
    await knex.raw(`CREATE TRIGGER ${nome} AFTER ${momento} ON boletos_recebidos FOR EACH ROW ${corpo(momento)}`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const { nome } of gatilhos()) await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
  for (const tabela of TABELAS.toReversed()) await knex.schema.dropTableIfExists(tabela);
  await knex.raw(`ALTER TABLE ${INDICE[0]} DROP KEY ${INDICE[1]}, DROP COLUMN ${DEVOLVIDO[1]}`);
}

const gatilhos = () =>
  MOMENTOS.map((momento) => ({ momento, nome: `por_fora_boletos_recebidos_${momento.toLowerCase()}` }));

/** Rows of one provider in one statement whose tags are named; at the next one, all of the provider's are, once. */
const LINHAS_COM_NOME = 200;
const TUDO = `'["provedor","clientes","clientes:busca","faturas","chamados","extratos"]'`;

/** The same as of payments registered by hand in 20261124000004. */
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
