import { columns, rowsOfSql } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import type { Guarda } from './guarda.types.ts';

const TIPOS = {
  id: 'BIGINT UNSIGNED',
  data: 'DATE',
  instante: 'DATETIME',
  nome: 'VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin',
  binaria: 'VARCHAR(510) CHARACTER SET ascii',
} as const;

/**
 * Deletes up to `limite` of the oldest rows from before `ate`, found by the index of their age and deleted by their primary key. Rows that
 * others hold are passed over, and nobody waits for longer than one such statement. Crosses tenants, by name and on purpose:
 * how old a row is does not depend on whose it is. Every tenant's table has a key that begins with provedor_id.
 */
export async function apagarAntigas(
  db: Db,
  { tabela, coluna, indice, chave }: Guarda,
  ate: Date,
  limite: number,
): Promise<number> {
  return db.transaction(
    async (trx) => {
      const desde = toDatabaseTime(ate);
      const limiteDeIdade = chave.some(({ nome, tipo }) => nome === coluna && tipo === 'data')
        ? desde.slice(0, 10)
        : desde;
      const daChave = chave.map(({ nome, tipo }) => [nome, tipo === 'binaria' ? `HEX(${nome})` : true] as const);
      const rows = await rowsOfSql(
        trx,
        columns<Record<string, string | number>>(tabela, Object.fromEntries(daChave)),
        (colunas) =>
          `SELECT ${colunas} FROM ${tabela} FORCE INDEX (${indice})
            WHERE ${coluna} < ? ORDER BY ${coluna} LIMIT ? FOR UPDATE SKIP LOCKED`,
        [limiteDeIdade, limite],
      );
      if (rows.length === 0) return 0;
      const chaves = chave.map(({ nome, tipo }, n) => `${nome} ${TIPOS[tipo]} PATH '$[${n}]'`);
      const igual = chave.map(({ nome, tipo }) =>
        tipo === 'binaria' ? `t.${nome} = UNHEX(chaves.${nome})` : `t.${nome} = chaves.${nome}`,
      );
      await trx.raw(
        `DELETE t
           FROM JSON_TABLE(?, '$[*]' COLUMNS (${chaves.join(', ')})) AS chaves
           STRAIGHT_JOIN ${tabela} t FORCE INDEX FOR JOIN (PRIMARY) ON ${igual.join(' AND ')}`,
        [JSON.stringify(rows.map((row) => chave.map(({ nome }) => row[nome])))],
      );
      return rows.length;
    },
    { isolationLevel: 'read committed' },
  );
}
