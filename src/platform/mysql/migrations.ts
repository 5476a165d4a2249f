import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { columns, rowsOf } from './columns.ts';
import { MIGRATIONS, isDenied } from './database.ts';
import type { Db } from './database.ts';
import { withNamedLock } from './named-lock.ts';
import { isLockError } from './writes.ts';

const NAME = columns<{ name: string }>(MIGRATIONS.table, { name: true });

/** Seconds that a process waits for the migrations of another one. */
const WAIT_SECONDS = 120;

/** How often a migration is tried when others hold locks, and the milliseconds between two tries. */
const TRIES = 100;
const REST_MS = 3000;

const BEHIND = 'O esquema do banco é de outra versão, e este usuário não pode mudá-lo: rode malha migrate pelo dono.';

/**
 * Brings the schema up to date; resolves to the names of the migrations that ran. The pool needs at least two
 * connections. When the schema is up to date already, only rights to read are needed, so the service's own user can
 * call this.
 *
 * A named lock of the server protects it, because such a lock ends with its connection. knex's own lock is a row that a
 * process which dies half-way leaves behind, and that would stop every later start. The holder of the named lock clears
 * it.
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
            // Another transaction is reading the table; an extract does so for minutes. The migration begins again
            // later.
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

/** Whether the migrations that ran are exactly those in the folder. When they are not, knex says what is wrong. */
async function isUpToDate(db: Db): Promise<boolean> {
  if (!(await db.schema.hasTable(MIGRATIONS.table))) return false;
  const done = (await rowsOf(db(MIGRATIONS.table).orderBy('name'), NAME)).map(({ name }) => name);
  const there = (await readdir(MIGRATIONS.directory)).filter((file) => file.endsWith(MIGRATIONS.extension)).toSorted();
  return done.join() === there.join();
}
