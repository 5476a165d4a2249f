import type { Knex } from 'knex';

/** What each provider has done of each of its local days, and what an overdue invoice asks for as a job stored it. */
export async function up(knex: Knex): Promise<void> {
  // cursor_em: where the next chunk begins, in the words of the task; null before the first and after the last.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS tarefas_diarias (
      provedor_id   BIGINT UNSIGNED NOT NULL,
      tarefa        VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      dia           DATE NOT NULL,
      cursor_em     JSON NULL,
      linhas        INT UNSIGNED NOT NULL DEFAULT 0,
      lotes         INT UNSIGNED NOT NULL DEFAULT 0,
      iniciada_em   DATETIME(3) NOT NULL,
      concluida_em  DATETIME(3) NULL,
      PRIMARY KEY (provedor_id, tarefa, dia),
      KEY tarefas_diarias_idade (dia),
      CONSTRAINT tarefas_diarias_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);

  // apurada_em: the local day that valor_atualizado and pix_copia_cola are of. Requests compute both; who reads the
  // table itself, such as BI, reads these.
  if (!(await knex.schema.hasColumn('faturas', 'apurada_em'))) {
    await knex.raw(`
      ALTER TABLE faturas
        ADD COLUMN valor_atualizado DECIMAL(12,2) NULL,
        ADD COLUMN apurada_em DATE NULL`);
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE faturas DROP COLUMN apurada_em, DROP COLUMN valor_atualizado');
  await knex.schema.dropTableIfExists('tarefas_diarias');
}
