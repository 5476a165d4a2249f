import type { Knex } from 'knex';

const MOMENTOS = ['INSERT', 'UPDATE', 'DELETE'] as const;

/** Fiscal notes of communication services (NFCom, model 62). Whoever issues or imports them writes these rows. */
export async function up(knex: Knex): Promise<void> {
  // motivo_codigo, motivo: what the tax authority said of a rejection. The XML of a note is kept as it was signed and authorised, byte for byte.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS nfcom (
      provedor_id     BIGINT UNSIGNED NOT NULL,
      id              BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      fatura_id       BIGINT UNSIGNED NOT NULL,
      cliente_id      BIGINT UNSIGNED NOT NULL,
      serie           SMALLINT UNSIGNED NULL,
      numero          INT UNSIGNED NULL,
      chave           CHAR(44) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ambiente        ENUM('producao','homologacao') NOT NULL,
      situacao        ENUM('pendente','processando','autorizada','rejeitada','cancelada','substituida')
                        NOT NULL DEFAULT 'pendente',
      protocolo       VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NULL,
      valor           DECIMAL(12,2) NOT NULL,
      emitida_em      DATETIME(3) NULL,
      autorizada_em   DATETIME(3) NULL,
      cancelada_em    DATETIME(3) NULL,
      motivo_codigo   VARCHAR(6) CHARACTER SET ascii COLLATE ascii_bin NULL,
      motivo          VARCHAR(500) NULL,
      xml_assinado    MEDIUMBLOB NULL,
      xml_autorizado  MEDIUMBLOB NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY nfcom_id (id),
      UNIQUE KEY nfcom_chave (provedor_id, chave),
      KEY nfcom_fatura (provedor_id, fatura_id, id, situacao),
      KEY nfcom_cliente (provedor_id, cliente_id, id),
      CONSTRAINT nfcom_fatura FOREIGN KEY (provedor_id, fatura_id) REFERENCES faturas (provedor_id, id),
      CONSTRAINT nfcom_cliente FOREIGN KEY (provedor_id, cliente_id) REFERENCES clientes (provedor_id, id)
    ) ENGINE=InnoDB`);

  for (const momento of MOMENTOS) {
    await knex.raw(`DROP TRIGGER IF EXISTS ${gatilho(momento)}`);
    await knex.raw(`CREATE TRIGGER ${gatilho(momento)} AFTER ${momento} ON nfcom FOR EACH ROW ${corpo(momento)}`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const momento of MOMENTOS) await knex.raw(`DROP TRIGGER IF EXISTS ${gatilho(momento)}`);
  await knex.schema.dropTableIfExists('nfcom');
}

const gatilho = (momento: (typeof MOMENTOS)[number]): string => `por_fora_nfcom_${momento.toLowerCase()}`;

/** Rows of one provider in one statement whose tags are named; at the next one, all of the provider's are, once. */
const LINHAS_COM_NOME = 200;
const TUDO = `'["provedor","clientes","clientes:busca","faturas","chamados","extratos"]'`;

/** The same as of the rows of `faturas` in 20261122000002. */
function corpo(momento: (typeof MOMENTOS)[number]): string {
  const anotar = (linha: 'NEW' | 'OLD', json = etiquetas(linha)): string =>
    `INSERT INTO eventos (provedor_id, tipo, etiquetas) VALUES (${linha}.provedor_id, 'linhas.alteradas', ${json});`;
  const linha = momento === 'DELETE' ? 'OLD' : 'NEW';
  const mudou = ['provedor_id', 'fatura_id', 'cliente_id']
    .map((coluna) => `NOT OLD.${coluna} <=> NEW.${coluna}`)
    .join(' OR ');
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

const etiquetas = (linha: 'NEW' | 'OLD'): string =>
  `CONCAT('["fatura:', ${linha}.fatura_id, '", "cliente:', ${linha}.cliente_id, '", "faturas"]')`;
