import type { Knex } from 'knex';

/** Each statement is committed by itself, and each can be run again. */
export const config = { transaction: false };

async function temChave(knex: Knex, tabela: string, nome: string): Promise<boolean> {
  const [linhas = []] = await knex.raw<object[][]>(`SHOW INDEX FROM ${tabela} WHERE Key_name = ?`, [nome]);
  return linhas.length > 0;
}

/**
 * What the panel shows of keys, invites and plans: how much each key was used, by the provider's day; which key another was renewed by;
 * who made an invite and when it was revoked; and indexes by which contracts of a plan, and what the network could not do, are counted.
 */
export async function up(knex: Knex): Promise<void> {
  // Written once a minute by each process that answers requests. `ultimo_em` is exact to that minute.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS chaves_uso (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      chave_id     BIGINT UNSIGNED NOT NULL,
      dia          DATE NOT NULL,
      pedidos      BIGINT UNSIGNED NOT NULL,
      ultimo_em    DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, chave_id, dia),
      KEY chaves_uso_idade (dia),
      CONSTRAINT chaves_uso_chave FOREIGN KEY (provedor_id, chave_id) REFERENCES chaves_api (provedor_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB`);

  if (!(await knex.schema.hasColumn('chaves_api', 'renovada_por'))) {
    await knex.raw(`
      ALTER TABLE chaves_api
        ADD COLUMN atualizado_em DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
        ADD COLUMN renovada_por BIGINT UNSIGNED NULL,
        ADD CONSTRAINT chaves_api_renovada FOREIGN KEY (provedor_id, renovada_por) REFERENCES chaves_api (provedor_id, id)`);
  }

  if (!(await knex.schema.hasColumn('convites', 'revogado_em'))) {
    await knex.raw(`
      ALTER TABLE convites
        ADD COLUMN usuario_id BIGINT UNSIGNED NULL,
        ADD COLUMN revogado_em DATETIME(3) NULL,
        ADD KEY convites_situacao (provedor_id, situacao, id),
        ADD CONSTRAINT convites_usuario FOREIGN KEY (provedor_id, usuario_id) REFERENCES usuarios (provedor_id, id)`);
  }

  if (!(await temChave(knex, 'rede_pedidos', 'rede_pedidos_resultado'))) {
    await knex.raw('ALTER TABLE rede_pedidos ADD KEY rede_pedidos_resultado (provedor_id, resultado)');
  }

  if (!(await temChave(knex, 'contratos', 'contratos_plano_situacao'))) {
    await knex.raw('ALTER TABLE contratos ADD KEY contratos_plano_situacao (provedor_id, plano_id, situacao)');
  }
  // The new one begins with the same columns, and serves the foreign key.
  if (await temChave(knex, 'contratos', 'contratos_plano')) {
    await knex.raw('ALTER TABLE contratos DROP KEY contratos_plano');
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE contratos
      ADD KEY contratos_plano (provedor_id, plano_id),
      DROP KEY contratos_plano_situacao`);
  await knex.raw('ALTER TABLE rede_pedidos DROP KEY rede_pedidos_resultado');
  await knex.raw(`
    ALTER TABLE convites
      DROP FOREIGN KEY convites_usuario,
      DROP KEY convites_usuario,
      DROP KEY convites_situacao,
      DROP COLUMN usuario_id,
      DROP COLUMN revogado_em`);
  await knex.raw(`
    ALTER TABLE chaves_api
      DROP FOREIGN KEY chaves_api_renovada,
      DROP KEY chaves_api_renovada,
      DROP COLUMN renovada_por,
      DROP COLUMN atualizado_em`);
  await knex.schema.dropTableIfExists('chaves_uso');
}
