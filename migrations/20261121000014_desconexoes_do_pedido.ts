import type { Knex } from 'knex';

/** The sessions that a request to the network ended go with it, so that old requests can be deleted. */
export async function up(knex: Knex): Promise<void> {
  await comRegra(knex, 'CASCADE');
}

export async function down(knex: Knex): Promise<void> {
  await comRegra(knex, 'RESTRICT');
}

/** One server writes the default as RESTRICT, the other as NO ACTION. */
async function comRegra(knex: Knex, regra: 'CASCADE' | 'RESTRICT'): Promise<void> {
  const [[antes] = []] = await knex.raw<{ regra: string }[][]>(
    `SELECT DELETE_RULE AS regra FROM information_schema.REFERENTIAL_CONSTRAINTS
      WHERE CONSTRAINT_SCHEMA = DATABASE() AND CONSTRAINT_NAME = 'rede_desconexoes_pedido'`,
  );
  if (antes !== undefined && (antes.regra === 'CASCADE') === (regra === 'CASCADE')) return;
  // Two statements: in one, a name cannot be given up and taken again.
  if (antes !== undefined) await knex.raw('ALTER TABLE rede_desconexoes DROP FOREIGN KEY rede_desconexoes_pedido');
  await knex.raw(
    `ALTER TABLE rede_desconexoes ADD CONSTRAINT rede_desconexoes_pedido
       FOREIGN KEY (provedor_id, pedido_id) REFERENCES rede_pedidos (provedor_id, id) ON DELETE ${regra}`,
  );
}
