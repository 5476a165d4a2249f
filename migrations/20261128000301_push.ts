import type { Knex } from 'knex';

/** Each statement is committed by itself, and each can be run again. */
export const config = { transaction: false };

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

const TABELAS: readonly string[] = [
  // The operator's own, for all providers: one row at most.
  `CREATE TABLE IF NOT EXISTS push_vapid (
    id         TINYINT UNSIGNED NOT NULL,
    publica    VARCHAR(100) ${ASCII} NOT NULL,
    privada    VARBINARY(255) NOT NULL,
    criada_em  DATETIME(3) NOT NULL,
    PRIMARY KEY (id)
  ) ENGINE=InnoDB`,
  // token: sealed; of Web Push it is an endpoint with its keys. Without a session of the app it is of the panel.
  `CREATE TABLE IF NOT EXISTS push_dispositivos (
    provedor_id   BIGINT UNSIGNED NOT NULL,
    id            BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    acesso_id     BIGINT UNSIGNED NULL,
    usuario_id    BIGINT UNSIGNED NULL,
    sessao_id     BIGINT UNSIGNED NULL,
    tipo          ENUM('fcm','webpush') NOT NULL,
    token_hash    BINARY(32) NOT NULL,
    token         VARBINARY(6000) NOT NULL,
    plataforma    ENUM('android','ios','web') NOT NULL,
    versao        VARCHAR(40) NULL,
    silenciados   JSON NOT NULL,
    visto_em      DATETIME(3) NOT NULL,
    criado_em     DATETIME(3) NOT NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY push_dispositivos_id (id),
    UNIQUE KEY push_dispositivos_token (provedor_id, token_hash),
    KEY push_dispositivos_acesso (provedor_id, acesso_id),
    KEY push_dispositivos_usuario (provedor_id, usuario_id),
    KEY push_dispositivos_sessao (provedor_id, sessao_id),
    KEY push_dispositivos_idade (visto_em),
    CONSTRAINT push_dispositivos_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id),
    CONSTRAINT push_dispositivos_acesso FOREIGN KEY (provedor_id, acesso_id) REFERENCES app_acessos (provedor_id, id)
      ON DELETE CASCADE,
    CONSTRAINT push_dispositivos_usuario FOREIGN KEY (provedor_id, usuario_id) REFERENCES usuarios (provedor_id, id),
    CONSTRAINT push_dispositivos_sessao FOREIGN KEY (provedor_id, sessao_id) REFERENCES app_sessoes (provedor_id, id)
      ON DELETE CASCADE
  ) ENGINE=InnoDB`,
  // chave: kind and what it is about; one of the same replaces it on the device. dia: local, on which it is to be sent.
  // em_andamento: an attempt is under way, until proxima_em at the latest.
  `CREATE TABLE IF NOT EXISTS push_envios (
    provedor_id     BIGINT UNSIGNED NOT NULL,
    id              BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    dispositivo_id  BIGINT UNSIGNED NOT NULL,
    evento_id       BIGINT UNSIGNED NULL,
    tipo            VARCHAR(40) ${ASCII} NOT NULL,
    chave           VARCHAR(100) ${ASCII} NOT NULL,
    titulo          VARCHAR(80) NOT NULL,
    texto           VARCHAR(240) NOT NULL,
    dados           JSON NOT NULL,
    dia             DATE NOT NULL,
    estado          ENUM('pendente','em_andamento','entregue','esgotada') NOT NULL DEFAULT 'pendente',
    tentativas      SMALLINT UNSIGNED NOT NULL DEFAULT 0,
    proxima_em      DATETIME(3) NOT NULL,
    expira_em       DATETIME(3) NOT NULL,
    entregue_em     DATETIME(3) NULL,
    erro            VARCHAR(60) ${ASCII} NULL,
    criado_em       DATETIME(3) NOT NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY push_envios_id (id),
    UNIQUE KEY push_envios_evento (provedor_id, evento_id, dispositivo_id, tipo),
    KEY push_envios_fila (estado, provedor_id, proxima_em, id),
    KEY push_envios_dia (provedor_id, dispositivo_id, dia),
    KEY push_envios_idade (criado_em),
    CONSTRAINT push_envios_dispositivo FOREIGN KEY (provedor_id, dispositivo_id)
      REFERENCES push_dispositivos (provedor_id, id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
  // What was said when its time came, so that it is said once.
  `CREATE TABLE IF NOT EXISTS push_lembretes (
    provedor_id  BIGINT UNSIGNED NOT NULL,
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    tipo         VARCHAR(40) ${ASCII} NOT NULL,
    recurso_id   BIGINT UNSIGNED NOT NULL,
    quando       DATETIME(3) NOT NULL,
    criado_em    DATETIME(3) NOT NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY push_lembretes_id (id),
    UNIQUE KEY push_lembretes_um (provedor_id, tipo, recurso_id, quando),
    KEY push_lembretes_idade (criado_em),
    CONSTRAINT push_lembretes_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
  ) ENGINE=InnoDB`,
];

/** Where the app's notices are sent, what was sent, and the account by which a provider sends through FCM. */
export async function up(knex: Knex): Promise<void> {
  for (const sql of TABELAS) await knex.raw(sql);
  if (!(await knex.schema.hasColumn('provedores', 'fcm_conta'))) {
    await knex.raw(
      `ALTER TABLE provedores ADD COLUMN fcm_projeto VARCHAR(60) ${ASCII} NULL,
         ADD COLUMN fcm_conta VARBINARY(8000) NULL, ADD COLUMN fcm_em DATETIME(3) NULL`,
    );
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE provedores DROP COLUMN fcm_em, DROP COLUMN fcm_conta, DROP COLUMN fcm_projeto');
  for (const tabela of ['push_lembretes', 'push_envios', 'push_dispositivos', 'push_vapid']) {
    await knex.schema.dropTableIfExists(tabela);
  }
}
