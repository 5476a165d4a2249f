import type { Knex } from 'knex';

/** What blocks a line; see `rede.types.ts`. */
const BLOQUEIO = "ENUM('grupo','recusa','pool','lista')";

/** Columns at the ends of tables; a process of the version before leaves them as they are. */
const COLUNAS: readonly (readonly [tabela: string, primeira: string, colunas: readonly string[]])[] = [
  [
    'provedores_nas',
    'coa',
    [
      // 0: no session is changed while it is up; 1: its speed; 2: blocks and releases, too.
      'coa TINYINT UNSIGNED NOT NULL DEFAULT 0',
      `bloqueio ${BLOQUEIO} NULL`,
      'bloqueio_nome VARCHAR(64) NULL',
    ],
  ],
  // What becomes of open sessions; see `rede.types.ts`.
  ['rede_pedidos', 'sessoes', ["sessoes ENUM('seguir','encerrar','se_mudar','alterar') NOT NULL DEFAULT 'seguir'"]],
  // The group whose attributes a session gets while it stays up. Null: it is ended, as the version before ends all.
  ['rede_desconexoes', 'alterar_para', ['alterar_para VARCHAR(64) NULL']],
];

/** How each provider's network is told what a contract's state means, and what is sent to it of plans and lines. */
export async function up(knex: Knex): Promise<void> {
  for (const [tabela, primeira, colunas] of COLUNAS) {
    if (await knex.schema.hasColumn(tabela, primeira)) continue;
    await knex.raw(`ALTER TABLE ${tabela} ${colunas.map((coluna) => `ADD COLUMN ${coluna}`).join(', ')}`);
  }
  if (!(await knex.schema.hasTable('provedores_rede'))) {
    await knex.raw(`
      CREATE TABLE provedores_rede (
        provedor_id    BIGINT UNSIGNED NOT NULL,
        bloqueio       ${BLOQUEIO} NOT NULL DEFAULT 'grupo',
        bloqueio_nome  VARCHAR(64) NULL,
        atributos      JSON NULL,
        enderecos      TINYINT(1) NOT NULL DEFAULT 1,
        prender_mac    TINYINT(1) NOT NULL DEFAULT 0,
        PRIMARY KEY (provedor_id),
        CONSTRAINT provedores_rede_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
      ) ENGINE=InnoDB`);
  }
  // Who is a provider already has said in FreeRADIUS's tables what its plans and lines get: nothing is sent beside it until it asks for that.
  // One that comes after this has no row, and the defaults of the program.
  await knex.raw(`INSERT INTO provedores_rede (provedor_id, atributos, enderecos)
    SELECT p.id, '[]', 0 FROM provedores p
     WHERE NOT EXISTS (SELECT 1 FROM provedores_rede r WHERE r.provedor_id = p.id)`);
  // A group without a row refuses nobody, and a new login is in this one before any worker has seen it.
  await knex.raw(`INSERT INTO radgroupcheck (groupname, attribute, op, value)
    SELECT 'retirado', 'Auth-Type', ':=', 'Reject' FROM (SELECT 1 AS um) AS uma
     WHERE NOT EXISTS (SELECT 1 FROM radgroupcheck WHERE groupname = 'retirado')`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`DELETE FROM radgroupcheck WHERE groupname = 'retirado'`);
  await knex.schema.dropTableIfExists('provedores_rede');
  for (const [tabela, , colunas] of COLUNAS) {
    const nomes = colunas.map((coluna) => `DROP COLUMN ${coluna.split(' ')[0]}`);
    await knex.raw(`ALTER TABLE ${tabela} ${nomes.join(', ')}`);
  }
}
