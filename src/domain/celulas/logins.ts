import { expressions, rowsOf } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';

const LOGIN = expressions<{ login: string }>({ login: 'login' });

/** The most logins in one statement. */
const POR_VEZ = 900;

/** Logins of a provider's contracts. */
export async function loginsDe(db: Db, provedorId: number): Promise<string[]> {
  const rows = await rowsOf(db('contratos').where({ provedor_id: provedorId }).where('login', '<>', ''), LOGIN);
  return rows.map(({ login }) => login);
}

/** Takes from FreeRADIUS those of these logins that no contract has: who knows one's password would get in by it. */
export async function largarLogins(db: Db, logins: readonly string[]): Promise<void> {
  for (let n = 0; n < logins.length; n += POR_VEZ) {
    const alguns = logins.slice(n, n + POR_VEZ);
    const rows = await rowsOf(db('contratos').whereIn('login', alguns), LOGIN);
    const deAlguem = new Set(rows.map(({ login }) => login.toLowerCase()));
    const deNinguem = alguns.filter((login) => !deAlguem.has(login.toLowerCase()));
    if (deNinguem.length === 0) continue;
    for (const tabela of ['radcheck', 'radreply', 'radusergroup']) {
      await db(tabela).whereIn('username', deNinguem).delete();
    }
  }
}
