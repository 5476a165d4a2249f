import type { Db } from '../mysql/database.ts';
import type { GateMode } from '../gate/gate.ts';

/** Whether requests can be answered, and by what. Redis away is degraded, and ready: requests are answered without it. */
export interface Readiness {
  readonly pronto: boolean;
  readonly degradado: boolean;
  readonly banco: 'ok' | 'fora';
  readonly redis: 'ok' | 'fora';
}

export interface ReadinessDeps {
  readonly db: Db;
  /** What the gate's heartbeat found. */
  readonly mode: () => GateMode;
}

/** A database that does not answer a trivial query within this long keeps callers waiting. */
const PATIENCE_MS = 1000;
/** A query that old is on a connection that nothing comes back from. */
const HOPELESS_MS = 5000;
/** Anyone may ask, so the database is asked no more often than this. */
const REMEMBERED_MS = 250;

/** Says whether the servers behind this process answer. Never rejects. */
export function createReadiness({ db, mode }: ReadinessDeps): () => Promise<Readiness> {
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  let underWay: { readonly at: number; readonly answer: Promise<boolean> } | undefined;

  function query(now: number): Promise<boolean> {
    // One that waits for a connection goes on waiting: more of them would only make the queue longer.
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
