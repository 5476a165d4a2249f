import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { columns, rowsOf } from '../columns.ts';
import type { Db } from '../database.ts';
import { repeat } from '../../timing/repeater.ts';
import { isLockError } from '../conflicts.ts';

const TABLE = 'arrendamentos';
const LEASE = columns<{ ficha: number }>(TABLE, { ficha: true });
const holder = (): string => `${hostname()} ${process.pid}`;

/** How long a lease lasts that nobody renews: so long others wait for a holder that died. */
const TERM_SECONDS = 20;
/** A lease is renewed this many times in its term, so that one try may fail. */
const RENEWALS = 5;
const POLL_MS = 250;

/** Held by one process at a time, on whichever servers of a cluster they are. */
export interface Lease {
  /**
   * Rejects with `LeaseLost` when somebody else holds the lease by now. In a transaction it has to be the last statement: then what the
   * transaction wrote is committed only where the lease is still this one's, on a cluster that certifies at the commit, too.
   */
  readonly confirm: (db: Db) => Promise<void>;
  /** Whether it is found by another pool too: then both reach the same database, by whatever names. */
  readonly standsIn: (db: Db) => Promise<boolean>;
}

/** This process stood still for longer than its lease lasts, and somebody else has begun. */
export class LeaseLost extends Error {
  constructor() {
    super('Este processo ficou parado por tempo demais e outro tomou o seu lugar; rode de novo.');
  }
}

export interface LeaseOptions {
  readonly name: string;
  readonly waitSeconds: number;
  /** What the error says when another one held the lease for all of `waitSeconds`. */
  readonly late: string;
  /** Tests set it; else it is `TERM_SECONDS`. */
  readonly termSeconds?: number;
}

/** Makes the table of leases, which the first migration needs; migrations/20261201100101 makes the same. */
export async function createLeases(owner: Db): Promise<void> {
  await owner.raw(`
    CREATE TABLE IF NOT EXISTS ${TABLE} (
      nome     VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      ficha    BIGINT UNSIGNED NOT NULL,
      portador VARCHAR(200) NOT NULL,
      vence_em DATETIME(3) NOT NULL,
      PRIMARY KEY (nome)
    ) ENGINE=InnoDB`);
}

/**
 * Does `work` while this process alone holds a lease: a row that tells until when, by the database's clock. Unlike a named lock, which a
 * server of a cluster has for itself, it is one for all of them. Each holder has a number of its own, higher than those before; who finds
 * another number there has lost the lease.
 *
 * @param db - a pool with a connection to spare beside those that `work` holds.
 * @throws Error with `late` as its message
 */
export async function withLease<T>(db: Db, options: LeaseOptions, work: (lease: Lease) => Promise<T>): Promise<T> {
  const { name, waitSeconds, late, termSeconds = TERM_SECONDS } = options;
  const number = await obtain(db, name, waitSeconds, termSeconds);
  if (number === null) throw new Error(late);
  const extend = async (on: Db): Promise<number> =>
    on(TABLE)
      .where({ nome: name, ficha: number })
      .update({ vence_em: inSeconds(on, termSeconds) });
  const renewals = repeat(
    async () => {
      await extend(db);
      return { more: false };
    },
    { intervalMs: (termSeconds * 1000) / RENEWALS, onError: () => {} },
  );
  try {
    return await work({
      async confirm(on) {
        if ((await extend(on)) === 0) throw new LeaseLost();
      },
      async standsIn(other) {
        // Two databases may give the same number; not to the same process, for a term that has not ended in either.
        const here = other(TABLE).where({ nome: name, ficha: number, portador: holder() });
        const rows = await rowsOf(here.where('vence_em', '>', inSeconds(other, 0)), LEASE);
        return rows.length > 0;
      },
    });
  } finally {
    await renewals.stop();
    // Where this fails, others wait until it ends by itself.
    await db(TABLE)
      .where({ nome: name, ficha: number })
      .update({ vence_em: inSeconds(db, 0) })
      .catch(() => {});
  }
}

/** Takes the lease and gives its number; null where somebody else holds it for all of the time. */
async function obtain(db: Db, name: string, waitSeconds: number, termSeconds: number): Promise<number | null> {
  const until = performance.now() + waitSeconds * 1000;
  for (;;) {
    const number = await tryToObtain(db, name, termSeconds).catch((error: unknown) => {
      // Another process was faster, on this server or on another.
      if (isLockError(error)) return null;
      throw error;
    });
    if (number !== null || performance.now() >= until) return number;
    await sleep(POLL_MS);
  }
}

async function tryToObtain(db: Db, name: string, termSeconds: number): Promise<number | null> {
  const row = { nome: name, ficha: 0, portador: '', vence_em: inSeconds(db, 0) };
  await db(TABLE).insert(row).onConflict().ignore();
  return db.transaction(async (trx) => {
    const taken = await trx(TABLE)
      .where('nome', name)
      .where('vence_em', '<=', inSeconds(trx, 0))
      .update({
        ficha: trx.raw('ficha + 1'),
        portador: holder(),
        vence_em: inSeconds(trx, termSeconds),
      });
    if (taken === 0) return null;
    const [lease] = await rowsOf(trx(TABLE).where('nome', name), LEASE);
    return lease?.ficha ?? null;
  });
}

const inSeconds = (db: Db, seconds: number) => db.raw('UTC_TIMESTAMP(3) + INTERVAL ? SECOND', [seconds]);
