import type { Knex } from 'knex';

/** PIX changed in one statement, whose locks payments of the version before wait for. */
const LOTE = 1000;

/** Each statement is committed by itself: payments go on meanwhile. */
export const config = { transaction: false };

/**
 * Every PIX told is kept, whether or not its invoice is known; what a return was; and what a settlement books beside the payments.
 *
 * It only widens: processes of before insert PIX with their invoice, and returns without `natureza`, which is what was not told.
 */
export async function up(knex: Knex): Promise<void> {
  // `tomado` is what of `devolvido` was taken back by the MED. `vinculado_em`: by hand, and not by the txid.
  if (!(await knex.schema.hasColumn('pix_recebidos', 'tomado'))) {
    await knex.raw(`
      ALTER TABLE pix_recebidos
        MODIFY COLUMN fatura_id BIGINT UNSIGNED NULL,
        ADD COLUMN tomado DECIMAL(12,2) NOT NULL DEFAULT 0.00,
        ADD COLUMN txid VARCHAR(35) CHARACTER SET ascii COLLATE ascii_bin NULL,
        ADD COLUMN vinculado_em DATETIME(3) NULL,
        ADD KEY pix_recebidos_sem_fatura (fatura_id, criado_em, provedor_id, txid)`);
  }
  // Until now an invoice was found by its txid alone. Of a bank's own charge it says by whose reckoning it was paid.
  const [[ultimo] = []] = await knex.raw<{ id: number | null }[][]>('SELECT MAX(id) AS id FROM pix_recebidos');
  for (let depoisDe = 0; depoisDe < (ultimo?.id ?? 0); depoisDe += LOTE) {
    await knex.raw(
      `UPDATE pix_recebidos r
         JOIN faturas f ON f.provedor_id = r.provedor_id AND f.id = r.fatura_id
          SET r.txid = f.pix_txid
        WHERE r.id > ? AND r.id <= ? AND r.txid IS NULL AND r.vinculado_em IS NULL AND LENGTH(f.pix_txid) > 25`,
      [depoisDe, depoisDe + LOTE],
    );
  }
  if (!(await knex.schema.hasColumn('pix_devolucoes', 'natureza'))) {
    await knex.raw(
      'ALTER TABLE pix_devolucoes ADD COLUMN natureza VARCHAR(30) CHARACTER SET ascii COLLATE ascii_bin NULL',
    );
  }
  if (!(await knex.schema.hasColumn('regras_cobranca', 'tolerancia_pix_dias'))) {
    await knex.raw('ALTER TABLE regras_cobranca ADD COLUMN tolerancia_pix_dias TINYINT UNSIGNED NOT NULL DEFAULT 1');
  }
  if (!(await knex.schema.hasColumn('faturas', 'reaberta_em'))) {
    await knex.raw('ALTER TABLE faturas ADD COLUMN reaberta_em DATETIME(3) NULL');
  }

  // Few invoices have any, so they are no columns of `faturas`. A value that a later judgement takes back becomes 0.00.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS faturas_lancamentos (
      provedor_id    BIGINT UNSIGNED NOT NULL,
      id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      fatura_id      BIGINT UNSIGNED NOT NULL,
      tipo           ENUM('desconto','excedente') NOT NULL,
      valor          DECIMAL(12,2) NOT NULL,
      criado_em      DATETIME(3) NOT NULL,
      atualizado_em  DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY faturas_lancamentos_id (id),
      KEY faturas_lancamentos_fatura (provedor_id, fatura_id, tipo),
      KEY faturas_lancamentos_tipo (provedor_id, tipo, valor),
      CONSTRAINT faturas_lancamentos_fatura FOREIGN KEY (provedor_id, fatura_id) REFERENCES faturas (provedor_id, id)
    ) ENGINE=InnoDB`);

  // `dito` holds the fields of a PIX that we know, cut short, and never who paid; `marca` is its SHA-256, so that one told again is one.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS pix_recusados (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      marca        BINARY(32) NOT NULL,
      motivo       VARCHAR(200) NOT NULL,
      dito         JSON NOT NULL,
      receptor     VARCHAR(120) NOT NULL,
      criado_em    DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY pix_recusados_id (id),
      UNIQUE KEY pix_recusados_marca (provedor_id, marca),
      KEY pix_recusados_idade (criado_em),
      CONSTRAINT pix_recusados_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  for (const tabela of ['pix_recusados', 'faturas_lancamentos']) await knex.schema.dropTableIfExists(tabela);
  await knex.raw('ALTER TABLE faturas DROP COLUMN reaberta_em');
  await knex.raw('ALTER TABLE regras_cobranca DROP COLUMN tolerancia_pix_dias');
  await knex.raw('ALTER TABLE pix_devolucoes DROP COLUMN natureza');
  // What is of no invoice has no place in the schema of before.
  await knex.raw(`
    DELETE d FROM pix_devolucoes d
      JOIN pix_recebidos r ON r.provedor_id = d.provedor_id AND r.id = d.recebido_id
     WHERE r.fatura_id IS NULL`);
  await knex.raw('DELETE FROM pix_recebidos WHERE fatura_id IS NULL');
  await knex.raw(`
    ALTER TABLE pix_recebidos
      DROP KEY pix_recebidos_sem_fatura,
      DROP COLUMN vinculado_em,
      DROP COLUMN txid,
      DROP COLUMN tomado,
      MODIFY COLUMN fatura_id BIGINT UNSIGNED NOT NULL`);
}
