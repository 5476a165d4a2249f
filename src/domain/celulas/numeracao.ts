import { expressions, rowsOfSql } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';

/** FreeRADIUS's small tables count in 32 bits, and are asked for no more than this. */
const MAIS_DOS_PEQUENOS = 100_000_000;

const CONTADOR = expressions<{ tabela: string; tipo: string; proximo: number | null }>({
  tabela: 't.TABLE_NAME',
  tipo: 'c.DATA_TYPE',
  proximo: 't.AUTO_INCREMENT',
});

/**
 * Lifts the counter of each table that numbers its rows, so that the first id of a new cell is past all that another has given. A counter
 * that is further on already stays.
 *
 * @returns the tables of which the counter was lifted.
 */
export async function numerarDepoisDe(db: Db, numero: number): Promise<string[]> {
  const contadores = await rowsOfSql(
    db,
    CONTADOR,
    (list) =>
      `SELECT ${list} FROM information_schema.COLUMNS c
         JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
        WHERE c.TABLE_SCHEMA = DATABASE() AND c.EXTRA LIKE '%auto_increment%' AND c.DATA_TYPE IN ('bigint', 'int')
          AND t.TABLE_TYPE = 'BASE TABLE' AND t.TABLE_NAME NOT IN ('migracoes', 'migracoes_lock')
        ORDER BY c.TABLE_NAME`,
  );
  const levantadas: string[] = [];
  for (const { tabela, tipo, proximo } of contadores) {
    const depoisDe = tipo === 'int' ? Math.min(numero, MAIS_DOS_PEQUENOS) : numero;
    if ((proximo ?? 1) > depoisDe) continue;
    await db.raw('ALTER TABLE ?? AUTO_INCREMENT = ?', [tabela, depoisDe + 1]);
    levantadas.push(tabela);
  }
  return levantadas;
}
