import type { Knex } from 'knex';

/** Columns at the end of the tables, which the server need not write anew; processes of the version before leave them as they are. */
const COLUNAS = {
  chamados: {
    responsavel_id: 'BIGINT UNSIGNED NULL',
    aberto_por_usuario: 'BIGINT UNSIGNED NULL',
    agendado_minutos: 'SMALLINT UNSIGNED NULL',
    // Whether the last public entry is not the staff's. Of what was there before nothing else is known.
    espera_equipe: 'TINYINT(1) NOT NULL DEFAULT 1',
    // When the staff said something in public for the first time.
    respondido_em: 'DATETIME(3) NULL',
    // The last change that the staff alone sees: `atualizado_em` is what incremental readers of v1 go by.
    equipe_em: 'DATETIME(3) NULL',
  },
  chamados_historico: { usuario_id: 'BIGINT UNSIGNED NULL' },
} as const;

const INDICES = {
  // The queue in its order, and what is counted of it.
  chamados_fila:
    'provedor_id, em_aberto, prioridade DESC, aberto_em, id, responsavel_id, espera_equipe, situacao, categoria, origem',
  chamados_responsavel: 'provedor_id, responsavel_id, em_aberto, prioridade DESC, aberto_em, id',
  chamados_fechamento: 'provedor_id, em_aberto, fechado_em, id',
  chamados_agenda: 'provedor_id, agendado_para, id',
  chamados_aberto_por: 'provedor_id, aberto_por_usuario',
} as const;

const ESTRANGEIRAS = [
  ['chamados', 'chamados_responsavel', 'responsavel_id'],
  ['chamados', 'chamados_aberto_por', 'aberto_por_usuario'],
  ['chamados_historico', 'chamados_historico_usuario', 'usuario_id'],
] as const;

/** What the staff does about tickets, and how far each of the staff has read what it was told. */
export async function up(knex: Knex): Promise<void> {
  for (const [tabela, colunas] of Object.entries(COLUNAS)) {
    for (const [coluna, tipo] of Object.entries(colunas)) {
      if (await knex.schema.hasColumn(tabela, coluna)) continue;
      await knex.raw(`ALTER TABLE ${tabela} ADD COLUMN ${coluna} ${tipo}`);
    }
  }
  for (const [indice, colunas] of Object.entries(INDICES)) {
    if (await temIndice(knex, 'chamados', indice)) continue;
    await knex.raw(`ALTER TABLE chamados ADD KEY ${indice} (${colunas}), ALGORITHM=INPLACE, LOCK=NONE`);
  }
  if (!(await temIndice(knex, 'chamados_historico', 'chamados_historico_usuario'))) {
    await knex.raw(`
      ALTER TABLE chamados_historico
        ADD KEY chamados_historico_usuario (provedor_id, usuario_id), ALGORITHM=INPLACE, LOCK=NONE`);
  }
  for (const [tabela, nome, coluna] of ESTRANGEIRAS) {
    if (await temEstrangeira(knex, tabela, nome)) continue;
    // No row has a value to be checked; without the check it is built while others read and write, see 20261122000004.
    await knex.raw('SET SESSION foreign_key_checks = 0');
    try {
      await knex.raw(`
        ALTER TABLE ${tabela} ADD CONSTRAINT ${nome} FOREIGN KEY (provedor_id, ${coluna})
          REFERENCES usuarios (provedor_id, id), ALGORITHM=INPLACE, LOCK=NONE`);
    } finally {
      await knex.raw('SET SESSION foreign_key_checks = 1');
    }
  }
  // Apart from the history, all of which processes of the version before show to everybody.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS chamados_notas (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      chamado_id   BIGINT UNSIGNED NOT NULL,
      acao         VARCHAR(40) NOT NULL,
      descricao    TEXT NULL,
      autor        VARCHAR(120) NULL,
      usuario_id   BIGINT UNSIGNED NULL,
      ocorrido_em  DATETIME(3) NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY chamados_notas_id (id),
      KEY chamados_notas_chamado (provedor_id, chamado_id, ocorrido_em, id),
      KEY chamados_notas_usuario (provedor_id, usuario_id),
      CONSTRAINT chamados_notas_chamado FOREIGN KEY (provedor_id, chamado_id) REFERENCES chamados (provedor_id, id),
      CONSTRAINT chamados_notas_usuario FOREIGN KEY (provedor_id, usuario_id) REFERENCES usuarios (provedor_id, id)
    ) ENGINE=InnoDB`);
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS notificacoes_lidas (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      usuario_id   BIGINT UNSIGNED NOT NULL,
      ate_id       BIGINT UNSIGNED NOT NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY notificacoes_lidas_id (id),
      UNIQUE KEY notificacoes_lidas_usuario (provedor_id, usuario_id),
      CONSTRAINT notificacoes_lidas_usuario FOREIGN KEY (provedor_id, usuario_id) REFERENCES usuarios (provedor_id, id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('notificacoes_lidas');
  await knex.schema.dropTableIfExists('chamados_notas');
  for (const [tabela, nome] of ESTRANGEIRAS) await knex.raw(`ALTER TABLE ${tabela} DROP FOREIGN KEY ${nome}`);
  for (const indice of Object.keys(INDICES)) await knex.raw(`ALTER TABLE chamados DROP KEY ${indice}`);
  await knex.raw('ALTER TABLE chamados_historico DROP KEY chamados_historico_usuario');
  for (const [tabela, colunas] of Object.entries(COLUNAS)) {
    for (const coluna of Object.keys(colunas)) await knex.raw(`ALTER TABLE ${tabela} DROP COLUMN ${coluna}`);
  }
}

async function temIndice(knex: Knex, tabela: string, indice: string): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM ?? WHERE Key_name = ?', [tabela, indice]);
  return rows !== undefined && rows.length > 0;
}

async function temEstrangeira(knex: Knex, tabela: string, nome: string): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>(
    `SELECT 1 FROM information_schema.table_constraints
      WHERE table_schema = DATABASE() AND table_name = ? AND constraint_name = ? AND constraint_type = 'FOREIGN KEY'`,
    [tabela, nome],
  );
  return rows !== undefined && rows.length > 0;
}
