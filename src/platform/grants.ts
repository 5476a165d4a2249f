import { createDatabase } from './database.ts';
import type { Db } from './database.ts';

/** The service adds to these and never changes what stands in them: its database user is not given the right to. */
const APPEND_ONLY = ['auditoria'];

/**
 * Gives the application's database user what it needs on each table, and no more, where it is another than the owner of the schema.
 * Rights stand on tables, not on the database: MySQL cannot take one table out of a right on all.
 *
 * @param owner a pool on the migrated database, of a user that may grant.
 */
export async function grantApplication(owner: Db, applicationUrl: string): Promise<void> {
  const url = new URL(applicationUrl);
  // Before its first grant the user may not enter the database.
  url.pathname = '/';
  const application = createDatabase({ url: url.href, pool: 1 });
  try {
    const account = await accountOf(application);
    if (account === (await accountOf(owner))) return;
    const at = account.lastIndexOf('@');
    const user = [account.slice(0, at), account.slice(at + 1)];
    const [tables = []] = await owner.raw<{ name: string }[][]>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'",
    );
    for (const { name } of tables) {
      const rights = APPEND_ONLY.includes(name) ? 'SELECT, INSERT' : 'SELECT, INSERT, UPDATE, DELETE';
      await owner.raw(`GRANT ${rights} ON ?? TO ?@?`, [name, ...user]);
    }
  } finally {
    await application.destroy();
  }
}

async function accountOf(db: Db): Promise<string> {
  const [rows] = await db.raw<{ account: string }[][]>('SELECT CURRENT_USER() AS account');
  return rows?.[0]?.account ?? '';
}
