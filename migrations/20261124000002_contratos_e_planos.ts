import type { Knex } from 'knex';

/** Rows that stand for logins by a sum of their letters; see src/domain/rede/acesso/acesso.regras.ts. */
const TRAVAS = 1024;

/** What moves of contracts and changes of plans need: locks of logins, and what a changed plan still has to tell its contracts. */
export async function up(knex: Knex): Promise<void> {
  // FreeRADIUS's tables know a login by its name alone, so two providers may ask for one at the same time, and no unique key spans
  // tenants: who holds the row that stands for it asks first. The rows never change, so nobody waits for an insert.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS rede_travas_de_login (
      n  SMALLINT UNSIGNED NOT NULL,
      PRIMARY KEY (n)
    ) ENGINE=InnoDB`);
  const linhas = Array.from({ length: TRAVAS }, (_, n) => `(${n})`);
  await knex.raw(`INSERT IGNORE INTO rede_travas_de_login (n) VALUES ${linhas.join(', ')}`);

  // A row goes when all contracts of the plan up to \`ate_contrato_id\` have been told. \`autor\` is who changed the plan.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS planos_alteracoes (
      provedor_id         BIGINT UNSIGNED NOT NULL,
      id                  BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      plano_id            BIGINT UNSIGNED NOT NULL,
      valor_de            DECIMAL(12,2) NULL,
      valor_para          DECIMAL(12,2) NULL,
      grupo_de            VARCHAR(64) NULL,
      grupo_para          VARCHAR(64) NULL,
      rede                TINYINT(1) NOT NULL DEFAULT 0,
      depois_de           BIGINT UNSIGNED NOT NULL DEFAULT 0,
      ate_contrato_id     BIGINT UNSIGNED NOT NULL,
      autor               VARCHAR(120) NOT NULL,
      criado_em           DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY planos_alteracoes_id (id),
      KEY planos_alteracoes_plano (provedor_id, plano_id),
      CONSTRAINT planos_alteracoes_plano FOREIGN KEY (provedor_id, plano_id) REFERENCES planos (provedor_id, id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('planos_alteracoes');
  await knex.schema.dropTableIfExists('rede_travas_de_login');
}
