import type { Db } from './database.ts';

/** Seconds that a second process waits for the first one's migrations. */
const WAIT_SECONDS = 120;

/** The server's named locks are shared by all its databases, so the name holds this one's. */
const LOCK_NAME = "CONCAT('malha_migracoes:', MD5(DATABASE()))";

/**
 * Brings the schema up to date, on a pool of at least two connections; resolves to the names of the migrations that ran.
 *
 * A named lock of the server guards it, because it ends with its connection: a process that dies half-way leaves knex's
 * own lock row behind, which would stop every later start. Whoever holds the named lock may clear that row.
 */
export async function migrate(db: Db): Promise<string[]> {
  return db.transaction(async (holder) => {
    const [rows] = await holder.raw<{ obtido: number | null }[][]>(`SELECT GET_LOCK(${LOCK_NAME}, ?) AS obtido`, [
      WAIT_SECONDS,
    ]);
    if (rows?.[0]?.obtido !== 1) throw new Error('Outra migração está em andamento há mais de dois minutos.');
    try {
      if (await db.schema.hasTable('migracoes_lock')) await db.migrate.forceFreeMigrationsLock();
      const [, names] = (await db.migrate.latest()) as [number, string[]];
      return names;
    } finally {
      await holder.raw(`SELECT RELEASE_LOCK(${LOCK_NAME})`);
    }
  });
}
