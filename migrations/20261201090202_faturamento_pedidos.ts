import type { Knex } from 'knex';

/** Previews and runs of a month that people asked for, and how far they have come. Of each month, one of each kind is open at a time. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS faturamento_pedidos (
      provedor_id    BIGINT UNSIGNED NOT NULL,
      id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      tipo           ENUM('previa','faturas') NOT NULL,
      mes            DATE NOT NULL,
      lugar          JSON NULL,
      vistos         INT UNSIGNED NOT NULL DEFAULT 0,
      total          INT UNSIGNED NULL,
      faturas        INT UNSIGNED NOT NULL DEFAULT 0,
      resultado      JSON NULL,
      motivo         VARCHAR(300) NULL,
      autor          VARCHAR(120) NOT NULL,
      pedido_em      DATETIME(3) NOT NULL,
      terminado_em   DATETIME(3) NULL,
      aberto         TINYINT(1) GENERATED ALWAYS AS (IF(terminado_em IS NULL, 1, NULL)) STORED,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY faturamento_pedidos_id (id),
      UNIQUE KEY faturamento_pedidos_um (provedor_id, aberto, tipo, mes),
      KEY faturamento_pedidos_ultimos (provedor_id, tipo, id),
      KEY faturamento_pedidos_idade (pedido_em),
      CONSTRAINT faturamento_pedidos_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('faturamento_pedidos');
}
