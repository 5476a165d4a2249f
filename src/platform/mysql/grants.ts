import { expressions, rowsOfSql } from './columns.ts';
import { createDatabase, readAddress } from './database.ts';
import type { Db } from './database.ts';

export type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

const TABLE = expressions<{ name: string }>({ name: 'table_name' });
const ACCOUNT = expressions<{ account: string }>({ account: 'CURRENT_USER()' });
const PRIVILEGE = expressions<{ privilege: string }>({ privilege: 'privilege_type' });
const TABLE_PRIVILEGE = expressions<{ name: string; privilege: string }>({
  name: 'table_name',
  privilege: 'privilege_type',
});

/** "There is no such grant": another process has just revoked it. */
const NO_SUCH_GRANT = [1141, 1147];

/**
 * Grants the application's database user the rights it needs on each table, and revokes all others, which it may have
 * from an earlier release or by hand. On a table without an entry it gets no right. Nothing is done when that user owns
 * the schema. Rights are granted on tables and not on the database, because MySQL cannot exclude one table from a right
 * on all.
 *
 * @param owner a pool on the migrated database, of a user that may grant.
 * @returns rights that the user has on more than single tables; they remain, whatever is granted or revoked here.
 */
export async function grantApplication(
  owner: Db,
  applicationUrl: string,
  rights: Readonly<Record<string, readonly Right[]>>,
): Promise<string[]> {
  const url = new URL(applicationUrl);
  const { database: schema } = readAddress(applicationUrl);
  // Before its first grant the user may not enter the database.
  url.pathname = '/';
  const application = createDatabase({ url: url.href, pool: 1 });
  try {
    const account = await accountOf(application);
    if (account === (await accountOf(owner))) return [];
    const at = account.lastIndexOf('@');
    const user = [account.slice(0, at), account.slice(at + 1)];
    const tables = await rowsOfSql(
      owner,
      TABLE,
      (list) =>
        `SELECT ${list} FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'`,
    );
    const given = await givenTo(application, schema);
    for (const { name } of tables) {
      const wanted = new Set<string>(rights[name]);
      const had = given.get(name) ?? new Set<string>();
      const missing = [...wanted].filter((right) => !had.has(right));
      const excess = [...had].filter((right) => !wanted.has(right));
      if (missing.length > 0) await owner.raw(`GRANT ${missing.join(', ')} ON ?? TO ?@?`, [name, ...user]);
      if (excess.length > 0) await revoke(owner, excess, [name, ...user]);
    }
    return await widerThanTables(application, schema);
  } finally {
    await application.destroy();
  }
}

async function accountOf(db: Db): Promise<string> {
  const [row] = await rowsOfSql(db, ACCOUNT, (list) => `SELECT ${list}`);
  return row?.account ?? '';
}

/**
 * The rights of a user on single tables. The user itself asks, because the owner may not read the server's own tables.
 */
async function givenTo(user: Db, schema: string): Promise<Map<string, Set<string>>> {
  const rows = await rowsOfSql(
    user,
    TABLE_PRIVILEGE,
    (list) => `SELECT ${list} FROM information_schema.table_privileges WHERE table_schema = ?`,
    [schema],
  );
  const given = new Map<string, Set<string>>();
  for (const { name, privilege } of rows) given.set(name, (given.get(name) ?? new Set()).add(privilege));
  return given;
}

async function widerThanTables(user: Db, schema: string): Promise<string[]> {
  const rows = await rowsOfSql(
    user,
    PRIVILEGE,
    (list) =>
      `SELECT ${list} FROM information_schema.user_privileges WHERE privilege_type <> 'USAGE'
        UNION SELECT ${list} FROM information_schema.schema_privileges WHERE ? LIKE table_schema
        ORDER BY privilege`,
    [schema],
  );
  return rows.map(({ privilege }) => privilege);
}

async function revoke(owner: Db, rights: readonly string[], bindings: readonly string[]): Promise<void> {
  try {
    await owner.raw(`REVOKE ${rights.join(', ')} ON ?? FROM ?@?`, bindings);
  } catch (error) {
    if (!NO_SUCH_GRANT.includes((error as { errno?: number }).errno ?? 0)) throw error;
  }
}
