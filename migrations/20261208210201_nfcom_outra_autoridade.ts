import type { Knex } from 'knex';

/** Each statement is committed by itself, and each can be run again. */
export const config = { transaction: false };

/** As the columns without `outra_` are. */
const COLUNAS = {
  outra_parada_ate: 'DATETIME(3) NULL',
  outra_codigo: 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL',
  outra_motivo: 'VARCHAR(500) NULL',
  outra_falhas: 'INT UNSIGNED NOT NULL DEFAULT 0',
  outra_status_em: 'DATETIME(3) NULL',
  outra_status_codigo: 'VARCHAR(6) CHARACTER SET ascii COLLATE ascii_bin NULL',
  outra_rejeicao: 'VARCHAR(6) CHARACTER SET ascii COLLATE ascii_bin NULL',
  outra_rejeicoes: 'SMALLINT UNSIGNED NOT NULL DEFAULT 0',
  outra_sem_perguntar_ate: 'DATETIME(3) NULL',
} as const;

/**
 * How the authority of the environment in which a provider does not issue notes now answers what is left of it, and what is due of each
 * environment. Processes of the version before know the one queue and nfcom_fila.
 */
export async function up(knex: Knex): Promise<void> {
  const faltam: string[] = [];
  for (const [coluna, tipo] of Object.entries(COLUNAS)) {
    if (!(await knex.schema.hasColumn('nfcom_filas', coluna))) faltam.push(`ADD COLUMN ${coluna} ${tipo}`);
  }
  if (faltam.length > 0) await knex.raw(`ALTER TABLE nfcom_filas ${faltam.join(', ')}`);
  if (await temIndice(knex)) return;
  await knex.raw(`
    ALTER TABLE nfcom ADD KEY nfcom_fila_do_ambiente (etapa, provedor_id, ambiente, proxima_em, id),
      ALGORITHM=INPLACE, LOCK=NONE`);
}

export async function down(knex: Knex): Promise<void> {
  if (await temIndice(knex)) await knex.raw('ALTER TABLE nfcom DROP KEY nfcom_fila_do_ambiente');
  const colunas = Object.keys(COLUNAS).map((coluna) => `DROP COLUMN ${coluna}`);
  await knex.raw(`ALTER TABLE nfcom_filas ${colunas.join(', ')}`);
}

async function temIndice(knex: Knex): Promise<boolean> {
  const [rows = []] = await knex.raw<object[][]>('SHOW INDEX FROM nfcom WHERE Key_name = ?', [
    'nfcom_fila_do_ambiente',
  ]);
  return rows.length > 0;
}
