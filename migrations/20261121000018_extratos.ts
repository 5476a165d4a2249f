import type { Knex } from 'knex';

/** Nightly extracts: one of each local day of a provider. */
export async function up(knex: Knex): Promise<void> {
  // tentativas counts those who began; `tentativa` is the one whose files are served, null where there are none (any more).
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS extratos (
      provedor_id     BIGINT UNSIGNED NOT NULL,
      id              BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      dia             DATE NOT NULL,
      situacao        ENUM('gerando','pronto','falhou','removido') NOT NULL DEFAULT 'gerando',
      tentativas      INT UNSIGNED NOT NULL DEFAULT 1,
      tentativa       INT UNSIGNED NULL,
      consistente_em  DATETIME(3) NULL,
      arquivos        JSON NULL,
      bytes           BIGINT UNSIGNED NOT NULL DEFAULT 0,
      criado_em       DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY extratos_id (id),
      UNIQUE KEY extratos_dia (provedor_id, dia),
      KEY extratos_idade (criado_em),
      CONSTRAINT extratos_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('extratos');
}
