import type { Db } from './database.ts';
import type { GateMode } from './gate/gate.ts';

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
/** Anyone may ask, so the database is asked no more often than this. */
const REMEMBERED_MS = 250;

/** Says whether the servers behind this process answer. Never rejects. */
export function createReadiness({ db, mode }: ReadinessDeps): () => Promise<Readiness> {
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined;

  async function databaseAnswers(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), PATIENCE_MS);
    });
    const query = Promise.resolve(db.raw('SELECT 1')).then(
      () => true,
      () => false,
    );
    const answer = await Promise.race([query, tooLate]);
    clearTimeout(timer);
    return answer;
  }

  return async () => {
    const now = performance.now();
    if (asked === undefined || now - asked.at > REMEMBERED_MS) asked = { at: now, answer: databaseAnswers() };
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
