import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { columns, rowsOf } from '../columns.ts';
import { MIGRATIONS } from '../database.ts';
import type { Db } from '../database.ts';
import { lackOf, refuseOldServer } from './lacks.ts';
import { createLeases, withLease } from './lease.ts';
import { withNamedLock } from './named-lock.ts';
import { isLockError } from '../conflicts.ts';

const NAME = columns<{ name: string }>(MIGRATIONS.table, { name: true });

/** Seconds that a process waits for the migrations of another one. */
const WAIT_SECONDS = 120;

/** How often a migration is tried when others hold locks, and the milliseconds between two tries. */
const TRIES = 100;
const REST_MS = 3000;

const LOCK = {
  name: 'malha_migracoes',
  waitSeconds: WAIT_SECONDS,
  late: 'Outra migração está em andamento há mais de dois minutos.',
};

/**
 * Brings the schema up to date; resolves to the names of the migrations that ran. The pool needs at least three
 * connections. When the schema is up to date already, only rights to read are needed, so the service's own user can
 * call this.
 *
 * A lease keeps others out, also those on other servers of a cluster, and ends by itself where its holder dies. knex's own lock is a row that
 * a process which dies half-way leaves behind, and that would stop every later start; the holder of the lease clears it. Each migration
 * begins only while the lease is held.
 */
export async function migrate(db: Db): Promise<string[]> {
  if ((await schemaAge(db)) !== 'behind') return [];
  await refuseOldServer(db);
  try {
    await retryOnLocks(async () => createLeases(db));
    return await withLease(db, LOCK, async (lease) =>
      db.transaction((holder) =>
        withNamedLock(holder, LOCK, async () =>
          retryOnLocks(async () => {
            if (await db.schema.hasTable(MIGRATIONS.lockTable)) await db.migrate.forceFreeMigrationsLock();
            const [, names] = (await db.migrate.latest({ beforeEach: async () => lease.confirm(db) })) as [
              number,
              string[],
            ];
            return names;
          }),
        ),
      ),
    );
  } catch (error) {
    const lacking = lackOf(error);
    if (lacking === undefined) throw error;
    throw new Error(lacking, { cause: error });
  }
}

/** Begins again later when another transaction has the table: an extract reads it for minutes. */
async function retryOnLocks<T>(task: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await task();
    } catch (error) {
      if (tried === TRIES || !isLockError(error)) throw error;
      await sleep(REST_MS);
    }
  }
}

/** The names of the migrations that ran, in their order; none in a database without tables. */
export async function ranMigrations(db: Db): Promise<string[]> {
  if (!(await db.schema.hasTable(MIGRATIONS.table))) return [];
  return (await rowsOf(db(MIGRATIONS.table).orderBy('name'), NAME)).map(({ name }) => name);
}

/**
 * How the schema stands to the migrations in the folder. Ahead is what a newer release has brought up to date: it only added, so this
 * release works with it (docs/adr/0061). When each has what the other has not, knex says what is wrong.
 */
export async function schemaAge(db: Db): Promise<'behind' | 'current' | 'ahead'> {
  const done = new Set(await ranMigrations(db));
  const there = (await readdir(MIGRATIONS.directory)).filter((file) => file.endsWith(MIGRATIONS.extension));
  if (!there.every((file) => done.has(file))) return 'behind';
  return done.size > there.length ? 'ahead' : 'current';
}
