import type { Knex } from 'knex';

/** Each statement is committed by itself, and each can be run again. */
export const config = { transaction: false };

const TABELA = 'requisicoes_idempotentes';

/**
 * Repeated requests of the app: a subscriber's and a user's keys are theirs alone, as those of an API key are. An answer that holds a secret
 * is kept sealed. `status` is null in a row that stands committed while what it asked for is under way.
 */
export async function up(knex: Knex): Promise<void> {
  // The key that a row was found by stays unique: processes of the release before insert by it.
  if (!(await knex.schema.hasColumn(TABELA, 'id'))) {
    await knex.raw(`
      ALTER TABLE ${TABELA}
        ADD COLUMN id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT AFTER provedor_id,
        ADD UNIQUE KEY requisicoes_idempotentes_id (id),
        ADD UNIQUE KEY requisicoes_idempotentes_da_chave (provedor_id, chave_id, marca),
        DROP PRIMARY KEY,
        ADD PRIMARY KEY (provedor_id, id)`);
  }
  if (await knex.schema.hasColumn(TABELA, 'acesso_id')) return;
  await knex.raw(`
    ALTER TABLE ${TABELA}
      MODIFY COLUMN chave_id BIGINT UNSIGNED NULL,
      ADD COLUMN acesso_id BIGINT UNSIGNED NULL AFTER chave_id,
      ADD COLUMN usuario_id BIGINT UNSIGNED NULL AFTER acesso_id,
      ADD COLUMN corpo_cifrado MEDIUMBLOB NULL AFTER corpo,
      ADD UNIQUE KEY requisicoes_idempotentes_do_acesso (provedor_id, acesso_id, marca),
      ADD UNIQUE KEY requisicoes_idempotentes_do_usuario (provedor_id, usuario_id, marca),
      ADD CONSTRAINT requisicoes_idempotentes_acesso FOREIGN KEY (provedor_id, acesso_id)
        REFERENCES app_acessos (provedor_id, id) ON DELETE CASCADE,
      ADD CONSTRAINT requisicoes_idempotentes_usuario FOREIGN KEY (provedor_id, usuario_id)
        REFERENCES usuarios (provedor_id, id)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`DELETE FROM ${TABELA} WHERE chave_id IS NULL`);
  await knex.raw(`
    ALTER TABLE ${TABELA}
      DROP FOREIGN KEY requisicoes_idempotentes_acesso,
      DROP FOREIGN KEY requisicoes_idempotentes_usuario`);
  await knex.raw(`
    ALTER TABLE ${TABELA}
      DROP KEY requisicoes_idempotentes_do_acesso,
      DROP KEY requisicoes_idempotentes_do_usuario,
      DROP KEY requisicoes_idempotentes_id,
      DROP COLUMN acesso_id,
      DROP COLUMN usuario_id,
      DROP COLUMN corpo_cifrado,
      MODIFY COLUMN chave_id BIGINT UNSIGNED NOT NULL,
      DROP PRIMARY KEY,
      DROP COLUMN id,
      ADD PRIMARY KEY (provedor_id, chave_id, marca),
      DROP KEY requisicoes_idempotentes_da_chave`);
}
