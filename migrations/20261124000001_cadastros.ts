import type { Knex } from 'knex';

const CODIGO_EXTERNO = 'codigo_externo VARCHAR(80) CHARACTER SET ascii COLLATE ascii_bin NULL';

/** Columns at the ends of tables, which the server need not write anew. A process of the version before leaves them null. */
const COLUNAS: readonly (readonly [tabela: string, primeira: string, colunas: readonly string[]])[] = [
  // `apagado_em`: what could be erased of a person under the LGPD is gone.
  ['clientes', 'codigo_externo', [CODIGO_EXTERNO, 'apagado_em DATETIME(3) NULL']],
  [
    'contratos',
    'codigo_externo',
    [
      CODIGO_EXTERNO,
      'suspenso_em DATETIME(3) NULL',
      'cancelado_em DATETIME(3) NULL',
      'motivo VARCHAR(500) NULL',
      'ipv6_prefixo VARCHAR(43) CHARACTER SET ascii COLLATE ascii_bin NULL',
    ],
  ],
  [
    'faturas',
    'codigo_externo',
    [
      CODIGO_EXTERNO,
      'cancelada_em DATETIME(3) NULL',
      'motivo VARCHAR(500) NULL',
      'motivo_codigo VARCHAR(30) CHARACTER SET ascii COLLATE ascii_bin NULL',
    ],
  ],
  ['planos', 'codigo_externo', [CODIGO_EXTERNO, 'atualizado_em DATETIME(3) NULL ON UPDATE CURRENT_TIMESTAMP(3)']],
];

/** Built while others read and write; see 20261122000004. */
const INDICES: readonly (readonly [tabela: string, indice: string, definicao: string])[] = [
  ['clientes', 'clientes_codigo_externo', 'UNIQUE KEY clientes_codigo_externo (provedor_id, codigo_externo)'],
  ['contratos', 'contratos_codigo_externo', 'UNIQUE KEY contratos_codigo_externo (provedor_id, codigo_externo)'],
  ['contratos', 'contratos_encerrar', 'KEY contratos_encerrar (situacao, provedor_id, cancelado_em)'],
  ['faturas', 'faturas_codigo_externo', 'UNIQUE KEY faturas_codigo_externo (provedor_id, codigo_externo)'],
  ['planos', 'planos_codigo_externo', 'UNIQUE KEY planos_codigo_externo (provedor_id, codigo_externo)'],
];

/** What registrations need: names in another system, when and why a contract was suspended or cancelled, a lock of each tax id. */
export async function up(knex: Knex): Promise<void> {
  for (const [tabela, primeira, colunas] of COLUNAS) {
    if (await knex.schema.hasColumn(tabela, primeira)) continue;
    await knex.raw(`ALTER TABLE ${tabela} ${colunas.map((coluna) => `ADD COLUMN ${coluna}`).join(', ')}`);
  }
  for (const [tabela, indice, definicao] of INDICES) {
    if (await temIndice(knex, tabela, indice)) continue;
    await knex.raw(`ALTER TABLE ${tabela} ADD ${definicao}, ALGORITHM=INPLACE, LOCK=NONE`);
  }
  // Of a person there may be several registrations, so no unique key decides who registers first: the lock of this row does.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS app_documentos (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      cpf_cnpj     VARCHAR(14) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      PRIMARY KEY (provedor_id, cpf_cnpj),
      CONSTRAINT app_documentos_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('app_documentos');
  for (const [tabela, indice] of INDICES) await knex.raw(`ALTER TABLE ${tabela} DROP KEY ${indice}`);
  for (const [tabela, , colunas] of COLUNAS) {
    const nomes = colunas.map((coluna) => `DROP COLUMN ${coluna.split(' ')[0]}`);
    await knex.raw(`ALTER TABLE ${tabela} ${nomes.join(', ')}`);
  }
}

async function temIndice(knex: Knex, tabela: string, indice: string): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM ?? WHERE Key_name = ?', [tabela, indice]);
  return rows !== undefined && rows.length > 0;
}
