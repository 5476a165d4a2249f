import type { Knex } from 'knex';

/**
 * What a key is kept from (`restricoes`), and what it may do where it is kept from something (`permissoes_restritas`): its `permissoes` are
 * then none, so that a process of the release before, which knows of no restriction, lets it do nothing. The limits of searching are null
 * where the provider goes by the usual ones. All at the end of their tables, so that the server need not write them anew.
 */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('chaves_api', 'restricoes'))) {
    await knex.raw('ALTER TABLE chaves_api ADD COLUMN restricoes JSON NULL, ADD COLUMN permissoes_restritas JSON NULL');
  }
  if (!(await knex.schema.hasColumn('provedores', 'buscas_em_vao_por_hora'))) {
    await knex.raw(
      'ALTER TABLE provedores ADD COLUMN buscas_em_vao_por_hora INT UNSIGNED NULL, ADD COLUMN clientes_por_hora INT UNSIGNED NULL',
    );
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE provedores DROP COLUMN clientes_por_hora, DROP COLUMN buscas_em_vao_por_hora');
  await knex.raw('ALTER TABLE chaves_api DROP COLUMN permissoes_restritas, DROP COLUMN restricoes');
}
