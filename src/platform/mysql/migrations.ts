import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { columns, rowsOf } from './columns.ts';
import { MIGRATIONS, isDenied } from './database.ts';
import type { Db } from './database.ts';
import { withNamedLock } from './named-lock.ts';
import { isLockError } from './writes.ts';

const NAME = columns<{ name: string }>(MIGRATIONS.table, { name: true });

/** Seconds that a second process waits for the first one's migrations. */
const WAIT_SECONDS = 120;

/** How often a migration that met others' locks is tried in all, and milliseconds between two tries. */
const TRIES = 100;
const REST_MS = 3000;

const BEHIND = 'O esquema do banco é de outra versão, e este usuário não pode mudá-lo: rode malha migrate pelo dono.';

/**
 * Brings the schema up to date, on a pool of at least two connections; resolves to the names of the migrations that ran. Where nothing is
 * to be done, it asks for no more than to read what was: so the service's own user may start it.
 *
 * A named lock of the server guards it, because it ends with its connection: a process that dies half-way leaves knex's
 * own lock row behind, which would stop every later start. Whoever holds the named lock may clear that row.
 */
export async function migrate(db: Db): Promise<string[]> {
  if (await isUpToDate(db)) return [];
  const lock = {
    name: 'malha_migracoes',
    waitSeconds: WAIT_SECONDS,
    late: 'Outra migração está em andamento há mais de dois minutos.',
  };
  try {
    return await db.transaction((holder) =>
      withNamedLock(holder, lock, async () => {
        for (let tried = 1; ; tried += 1) {
          if (await db.schema.hasTable(MIGRATIONS.lockTable)) await db.migrate.forceFreeMigrationsLock();
          try {
            const [, names] = (await db.migrate.latest()) as [number, string[]];
            return names;
          } catch (error) {
            // Somebody is reading the table, an extract for minutes: we gave way, and a migration can be begun again.
            if (tried === TRIES || !isLockError(error)) throw error;
            await sleep(REST_MS);
          }
        }
      }),
    );
  } catch (error) {
    if (!isDenied(error)) throw error;
    throw new Error(BEHIND, { cause: error });
  }
}

/** Whether the migrations that ran are those that there are; else knex says what is wrong. */
async function isUpToDate(db: Db): Promise<boolean> {
  if (!(await db.schema.hasTable(MIGRATIONS.table))) return false;
  const done = (await rowsOf(db(MIGRATIONS.table).orderBy('name'), NAME)).map(({ name }) => name);
  const there = (await readdir(MIGRATIONS.directory)).filter((file) => file.endsWith(MIGRATIONS.extension)).toSorted();
  return done.join() === there.join();
}
