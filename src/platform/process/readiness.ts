import { expressions, rowsOfSql } from '../mysql/columns.ts';
import type { Db } from '../mysql/database.ts';
import type { GateMode } from '../gate/gate.ts';

/** `so_leitura` while its server takes no writes, as while a cluster elects another one that does. */
export const DATABASE_STATES = ['ok', 'so_leitura', 'fora'] as const;
export type DatabaseState = (typeof DATABASE_STATES)[number];

/**
 * Whether requests can be answered. Without Redis, or where nothing can be written, the service is degraded but ready, because it still
 * answers requests.
 */
export interface Readiness {
  readonly pronto: boolean;
  readonly degradado: boolean;
  readonly banco: DatabaseState;
  readonly redis: 'ok' | 'fora';
}

export interface ReadinessDeps {
  readonly db: Db;
  /** The mode of the gate, which its heartbeat sets. */
  readonly mode: () => GateMode;
}

/** A database that does not answer a trivial query within this time counts as away. */
const PATIENCE_MS = 1000;
/** A query that is older than this will not be answered: its connection is dead. */
const HOPELESS_MS = 5000;
/** Anyone may ask for readiness, so the database is asked at most this often. */
const REMEMBERED_MS = 250;

/** Makes the function that checks whether the database and Redis answer. It never rejects. */
export function createReadiness({ db, mode }: ReadinessDeps): () => Promise<Readiness> {
  let asked: { readonly at: number; readonly answer: Promise<DatabaseState> } | undefined;
  let underWay: { readonly at: number; readonly answer: Promise<DatabaseState> } | undefined;

  function query(now: number): Promise<DatabaseState> {
    // A query that waits for a connection is used again. More queries would only make the queue longer.
    if (underWay === undefined || now - underWay.at > HOPELESS_MS) {
      const settle = (answer: DatabaseState): DatabaseState => {
        if (underWay === own) underWay = undefined;
        return answer;
      };
      const own = { at: now, answer: stateOf(db).then(settle, () => settle('fora')) };
      underWay = own;
    }
    return underWay.answer;
  }

  async function databaseAnswers(now: number): Promise<DatabaseState> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<DatabaseState>((resolve) => {
      timer = setTimeout(() => resolve('fora'), PATIENCE_MS);
    });
    const answer = await Promise.race([query(now), tooLate]);
    clearTimeout(timer);
    return answer;
  }

  return async () => {
    const now = performance.now();
    if (asked === undefined || now - asked.at > REMEMBERED_MS) asked = { at: now, answer: databaseAnswers(now) };
    const database = await asked.answer;
    const redis = mode() === 'redis';
    return {
      pronto: database !== 'fora',
      degradado: database !== 'ok' || !redis,
      banco: database,
      redis: redis ? 'ok' : 'fora',
    };
  };
}

const READ_ONLY = expressions<{ read_only: string | number }>({ read_only: '@@GLOBAL.read_only' });
/** How servers say that they take writes. */
const WRITABLE: readonly (string | number)[] = [0, '0', 'OFF'];

/** A server of a Galera that the others have not taken in rejects even this. */
async function stateOf(db: Db): Promise<DatabaseState> {
  const [row] = await rowsOfSql(db, READ_ONLY, (list) => `SELECT ${list}`);
  return row !== undefined && WRITABLE.includes(row.read_only) ? 'ok' : 'so_leitura';
}
