import type { Db } from '../mysql/database.ts';
import type { GateMode } from '../gate/gate.ts';

/**
 * Whether requests can be answered. Without Redis the service is degraded but ready, because it still answers requests.
 */
export interface Readiness {
  readonly pronto: boolean;
  readonly degradado: boolean;
  readonly banco: 'ok' | 'fora';
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
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  let underWay: { readonly at: number; readonly answer: Promise<boolean> } | undefined;

  function query(now: number): Promise<boolean> {
    // A query that waits for a connection is used again. More queries would only make the queue longer.
    if (underWay === undefined || now - underWay.at > HOPELESS_MS) {
      const settle = (answer: boolean) => (): boolean => {
        if (underWay === own) underWay = undefined;
        return answer;
      };
      const own = { at: now, answer: Promise.resolve(db.raw('SELECT 1')).then(settle(true), settle(false)) };
      underWay = own;
    }
    return underWay.answer;
  }

  async function databaseAnswers(now: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), PATIENCE_MS);
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
      pronto: database,
      degradado: !database || !redis,
      banco: database ? 'ok' : 'fora',
      redis: redis ? 'ok' : 'fora',
    };
  };
}
