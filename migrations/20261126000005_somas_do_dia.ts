import type { Knex } from 'knex';

/** Indexes that hold all that a number of the panel is made of, so that no row is looked up for it. */
const INDICES = [
  ['faturas', 'faturas_somas', 'provedor_id, grupo, vencimento, id, cliente_id, tipo, valor, valor_pago, abatido'],
  ['faturas', 'faturas_pagas', 'provedor_id, grupo, pago_em, id, vencimento, tipo, valor, valor_pago, abatido'],
  ['pix_recebidos', 'pix_recebidos_pagos', 'provedor_id, pago_em, valor, devolvido'],
  ['pix_recebidos', 'pix_recebidos_criados', 'provedor_id, criado_em, pago_em'],
  ['pix_devolucoes', 'pix_devolucoes_criadas', 'provedor_id, criado_em, recebido_id'],
  ['recebimentos_manuais', 'recebimentos_manuais_pagos', 'provedor_id, pago_em, desfeito_em, valor'],
  ['recebimentos_manuais', 'recebimentos_manuais_criados', 'provedor_id, criado_em, pago_em'],
  ['recebimentos_manuais', 'recebimentos_manuais_desfeitos', 'provedor_id, desfeito_em, pago_em'],
  ['chamados', 'chamados_numeros', 'provedor_id, aberto_em, categoria, origem'],
  ['chamados', 'chamados_encerrados', 'provedor_id, fechado_em, situacao, aberto_em'],
  ['contratos', 'contratos_servidos', 'provedor_id, situacao, login'],
  ['auditoria', 'auditoria_acao', 'provedor_id, acao, id'],
  ['auditoria', 'auditoria_do_recurso', 'provedor_id, recurso, id'],
  ['auditoria', 'auditoria_tarefa', 'provedor_id, ator_tarefa, id'],
] as const;

/** Sums of days that are over, who looked at whose data, and the indexes of the panel's numbers. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS somas_diarias (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      nome         VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      dia          DATE NOT NULL,
      valor        DECIMAL(14,2) NOT NULL,
      quantidade   BIGINT UNSIGNED NOT NULL,
      feita_em     DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, nome, dia),
      KEY somas_diarias_idade (dia),
      CONSTRAINT somas_diarias_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);

  await knex.raw(`
    CREATE TABLE IF NOT EXISTS acessos_a_dados (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      usuario_id   BIGINT UNSIGNED NOT NULL,
      cliente_id   BIGINT UNSIGNED NULL,
      o_que        ENUM('cliente','extrato','csv') NOT NULL,
      ocorrido_em  DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY acessos_a_dados_id (id),
      KEY acessos_a_dados_cliente (provedor_id, cliente_id, id),
      KEY acessos_a_dados_usuario (provedor_id, usuario_id, id),
      KEY acessos_a_dados_idade (ocorrido_em),
      CONSTRAINT acessos_a_dados_usuario FOREIGN KEY (provedor_id, usuario_id) REFERENCES usuarios (provedor_id, id)
    ) ENGINE=InnoDB`);

  for (const [tabela, indice, colunas] of INDICES) {
    if (await temIndice(knex, tabela, indice)) continue;
    await knex.raw(`ALTER TABLE ${tabela} ADD KEY ${indice} (${colunas}), ALGORITHM=INPLACE, LOCK=NONE`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [tabela, indice] of INDICES) await knex.raw(`ALTER TABLE ${tabela} DROP KEY ${indice}`);
  for (const tabela of ['acessos_a_dados', 'somas_diarias']) await knex.schema.dropTableIfExists(tabela);
}

async function temIndice(knex: Knex, tabela: string, indice: string): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM ?? WHERE Key_name = ?', [tabela, indice]);
  return rows !== undefined && rows.length > 0;
}
