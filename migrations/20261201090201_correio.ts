import type { Knex } from 'knex';

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

/** E-mails that are to be sent: written with what decides that, sent apart from it. Of the staff's, `cliente_id` is null. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS correio_pedidos (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      origem       ENUM('regua','segunda_via','seguranca') NOT NULL,
      chave        VARCHAR(60) ${ASCII} NOT NULL,
      cliente_id   BIGINT UNSIGNED NULL,
      para         VARCHAR(254) NULL,
      assunto      VARCHAR(200) NULL,
      texto        MEDIUMTEXT NULL,
      estado       ENUM('pendente','em_andamento','entregue','esgotada','dispensada') NOT NULL DEFAULT 'pendente',
      tentativas   SMALLINT UNSIGNED NOT NULL DEFAULT 0,
      proxima_em   DATETIME(3) NOT NULL,
      expira_em    DATETIME(3) NOT NULL,
      entregue_em  DATETIME(3) NULL,
      erro         VARCHAR(40) ${ASCII} NULL,
      criado_em    DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY correio_pedidos_id (id),
      UNIQUE KEY correio_pedidos_um (provedor_id, origem, chave),
      KEY correio_pedidos_fila (estado, provedor_id, proxima_em, id),
      KEY correio_pedidos_cliente (provedor_id, cliente_id),
      KEY correio_pedidos_idade (criado_em),
      CONSTRAINT correio_pedidos_cliente FOREIGN KEY (provedor_id, cliente_id) REFERENCES clientes (provedor_id, id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('correio_pedidos');
}
