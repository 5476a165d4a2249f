import type { Knex } from 'knex';

/** What the search and the lists of staff are found by. Built while others read and write; see 20261122000004. */
const INDICES: readonly (readonly [tabela: string, indice: string, colunas: string])[] = [
  ['clientes_telefones', 'clientes_telefones_final', 'provedor_id, ao_contrario, cliente_id'],
  ['clientes', 'clientes_nome', 'provedor_id, nome, id'],
  ['clientes', 'clientes_cidade', 'provedor_id, cidade, nome, id'],
  ['contratos', 'contratos_mac', 'provedor_id, mac, id'],
  ['contratos', 'contratos_ip', 'provedor_id, ip, id'],
  ['contratos', 'contratos_situacao', 'provedor_id, situacao, id, cliente_id'],
  ['contratos', 'contratos_cidade', 'provedor_id, cidade, id'],
  ['contratos', 'contratos_dia', 'provedor_id, dia_vencimento, id'],
];

const CLIENTES_POR_LOTE = 1000;
/** As `src/domain/clientes/palavras/palavras.regras.ts` had them when this was written. */
const PARTICULAS = new Set(['a', 'e', 'da', 'das', 'de', 'do', 'dos']);
const MAXIMO = 40;

interface ClienteRow {
  id: number;
  nome: string;
  nome_fantasia: string | null;
}

/** The words of clients' names, the endings of their phones, and indexes for what else staff search and narrow by. */
export async function up(knex: Knex): Promise<void> {
  // CASCADE: processes of the release before delete clients and know nothing of their words.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS clientes_palavras (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      palavra      VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
      cliente_id   BIGINT UNSIGNED NOT NULL,
      PRIMARY KEY (provedor_id, palavra, cliente_id),
      KEY clientes_palavras_cliente (provedor_id, cliente_id, palavra),
      CONSTRAINT clientes_palavras_cliente FOREIGN KEY (provedor_id, cliente_id)
        REFERENCES clientes (provedor_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB`);
  if (!(await knex.schema.hasColumn('clientes_telefones', 'ao_contrario'))) {
    await knex.raw(`
      ALTER TABLE clientes_telefones ADD COLUMN ao_contrario VARCHAR(13) CHARACTER SET ascii COLLATE ascii_bin
        GENERATED ALWAYS AS (REVERSE(numero)) VIRTUAL`);
  }
  for (const [tabela, indice, colunas] of INDICES) {
    if (await temIndice(knex, tabela, indice)) continue;
    await knex.raw(`ALTER TABLE ${tabela} ADD KEY ${indice} (${colunas}), ALGORITHM=INPLACE, LOCK=NONE`);
  }
  await preencher(knex);
}

export async function down(knex: Knex): Promise<void> {
  for (const [tabela, indice] of INDICES) {
    if (await temIndice(knex, tabela, indice)) await knex.raw(`ALTER TABLE ${tabela} DROP KEY ${indice}`);
  }
  if (await knex.schema.hasColumn('clientes_telefones', 'ao_contrario')) {
    await knex.raw('ALTER TABLE clientes_telefones DROP COLUMN ao_contrario');
  }
  await knex.schema.dropTableIfExists('clientes_palavras');
}

/** In lots, each its own commit: one that was cut off is run again from the beginning, and passes over what is there. */
async function preencher(knex: Knex): Promise<void> {
  const provedores: { id: number }[] = await knex('provedores').select('id');
  for (const { id: provedor } of provedores) {
    for (let depois = 0; ;) {
      const clientes: ClienteRow[] = await knex('clientes')
        .where('provedor_id', provedor)
        .where('id', '>', depois)
        .whereNull('apagado_em')
        .orderBy('id')
        .limit(CLIENTES_POR_LOTE)
        .select('id', 'nome', 'nome_fantasia');
      const ultimo = clientes.at(-1);
      if (ultimo === undefined) break;
      depois = ultimo.id;
      const linhas = clientes.flatMap(({ id, nome, nome_fantasia: fantasia }) =>
        palavrasDe(nome, fantasia).map((palavra) => ({ provedor_id: provedor, palavra, cliente_id: id })),
      );
      if (linhas.length > 0) await knex('clientes_palavras').insert(linhas).onConflict().ignore();
    }
  }
}

function palavrasDe(nome: string, fantasia: string | null): string[] {
  const todas = `${nome} ${fantasia ?? ''}`
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((palavra) => palavra !== '')
    .map((palavra) => Array.from(palavra).slice(0, MAXIMO).join(''));
  const proprias = todas.filter((palavra) => !PARTICULAS.has(palavra));
  return [...new Set(proprias.length > 0 ? proprias : todas)].slice(0, MAXIMO);
}

async function temIndice(knex: Knex, tabela: string, indice: string): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM ?? WHERE Key_name = ?', [tabela, indice]);
  return rows !== undefined && rows.length > 0;
}
