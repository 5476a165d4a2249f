import type { Db } from './database.ts';
import { withNamedLock } from './named-lock.ts';

/** Seconds that a second process waits for the first one's migrations. */
const WAIT_SECONDS = 120;

/**
 * Brings the schema up to date, on a pool of at least two connections; resolves to the names of the migrations that ran.
 *
 * A named lock of the server guards it, because it ends with its connection: a process that dies half-way leaves knex's
 * own lock row behind, which would stop every later start. Whoever holds the named lock may clear that row.
 */
export async function migrate(db: Db): Promise<string[]> {
  const lock = {
    name: 'malha_migracoes',
    waitSeconds: WAIT_SECONDS,
    late: 'Outra migração está em andamento há mais de dois minutos.',
  };
  return db.transaction((holder) =>
    withNamedLock(holder, lock, async () => {
      if (await db.schema.hasTable('migracoes_lock')) await db.migrate.forceFreeMigrationsLock();
      const [, names] = (await db.migrate.latest()) as [number, string[]];
      return names;
    }),
  );
}
