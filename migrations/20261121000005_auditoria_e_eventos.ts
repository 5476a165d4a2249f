import type { Knex } from 'knex';

/** What was done (audit, append-only) and what others must hear of (transactional outbox). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS auditoria (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      acao         VARCHAR(60) NOT NULL,
      recurso      VARCHAR(40) NOT NULL,
      recurso_id   BIGINT UNSIGNED NULL,
      chave_id     BIGINT UNSIGNED NULL,
      usuario_id   BIGINT UNSIGNED NULL,
      autor        VARCHAR(120) NOT NULL,
      ip           VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NULL,
      dados        JSON NULL,
      ocorrido_em  DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY auditoria_id (id),
      KEY auditoria_tempo (provedor_id, ocorrido_em, id),
      KEY auditoria_recurso (provedor_id, recurso, recurso_id, id),
      CONSTRAINT auditoria_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id),
      CONSTRAINT auditoria_chave FOREIGN KEY (provedor_id, chave_id) REFERENCES chaves_api (provedor_id, id),
      CONSTRAINT auditoria_usuario FOREIGN KEY (provedor_id, usuario_id) REFERENCES usuarios (provedor_id, id)
    ) ENGINE=InnoDB`);

  await knex.raw(`
    CREATE TABLE IF NOT EXISTS eventos (
      provedor_id   BIGINT UNSIGNED NOT NULL,
      id            BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      tipo          VARCHAR(60) NOT NULL,
      recurso_id    BIGINT UNSIGNED NULL,
      etiquetas     JSON NOT NULL,
      dados         JSON NULL,
      criado_em     DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
      publicado_em  DATETIME(3) NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY eventos_id (id),
      KEY eventos_a_publicar (publicado_em, id),
      CONSTRAINT eventos_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  for (const tabela of ['eventos', 'auditoria']) await knex.schema.dropTableIfExists(tabela);
}
