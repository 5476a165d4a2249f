import { columns, rowsOfSql } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';

const LOGIN = columns<{ login: string }>('o', { login: true });

/**
 * Of these logins, those that a contract of another provider holds: FreeRADIUS knows a login by its name only. Whose it is stays unsaid.
 */
export async function loginsDeOutros(db: Db, provedorId: number, logins: readonly string[]): Promise<string[]> {
  if (logins.length === 0) return [];
  const rows = await rowsOfSql(
    db,
    LOGIN,
    (colunas) =>
      `SELECT ${colunas} FROM contratos o FORCE INDEX (contratos_de_login)
        WHERE o.login IN (${logins.map(() => '?').join(', ')}) AND o.provedor_id <> ? AND o.situacao <> 'cancelado_definitivo'`,
    [...logins, provedorId],
  );
  return rows.map(({ login }) => login);
}
