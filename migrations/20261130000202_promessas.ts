import type { Knex } from 'knex';

/** Promises of payment, of which a contract has one that is open, at most; and for how many days ahead a provider takes one. */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('regras_cobranca', 'promessa_dias'))) {
    await knex.raw('ALTER TABLE regras_cobranca ADD COLUMN promessa_dias TINYINT UNSIGNED NOT NULL DEFAULT 7');
  }
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS promessas_pagamento (
      provedor_id    BIGINT UNSIGNED NOT NULL,
      id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      cliente_id     BIGINT UNSIGNED NOT NULL,
      contrato_id    BIGINT UNSIGNED NOT NULL,
      data           DATE NOT NULL,
      situacao       ENUM('aberta','cumprida','quebrada') NOT NULL DEFAULT 'aberta',
      em_aberto      TINYINT(1) GENERATED ALWAYS AS (IF(situacao = 'aberta', 1, NULL)) STORED,
      autor          VARCHAR(120) NULL,
      registrada_em  DATETIME(3) NOT NULL,
      encerrada_em   DATETIME(3) NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY promessas_pagamento_id (id),
      UNIQUE KEY promessas_pagamento_uma (provedor_id, contrato_id, em_aberto),
      KEY promessas_pagamento_dia (provedor_id, em_aberto, data, id),
      KEY promessas_pagamento_cliente (provedor_id, cliente_id, em_aberto),
      CONSTRAINT promessas_pagamento_cliente FOREIGN KEY (provedor_id, cliente_id) REFERENCES clientes (provedor_id, id),
      CONSTRAINT promessas_pagamento_contrato FOREIGN KEY (provedor_id, contrato_id) REFERENCES contratos (provedor_id, id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('promessas_pagamento');
  await knex.raw('ALTER TABLE regras_cobranca DROP COLUMN promessa_dias');
}
