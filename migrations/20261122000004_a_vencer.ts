import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';

const INDICE = 'faturas_a_vencer';

/** Seconds that everybody who comes to the table waits behind us, at most; milliseconds until we ask again, and how often we do. */
const ESPERA = 2;
const DESCANSO_MS = 3000;
const VEZES = 120;
const LOCK_WAIT_TIMEOUT = 1205;

/** What is due before a day and still stored as `pendente`, however much was overdue before: what `faturas.vencer` looks for each night. */
export async function up(knex: Knex): Promise<void> {
  if (await temIndice(knex)) return;
  // Built while others read and write. To begin and to end it waits for transactions that have read the table, such as an extract's, and
  // whoever comes meanwhile waits behind it: so it gives way soon, and tries again.
  await knex.raw('SET SESSION lock_wait_timeout = ?', [ESPERA]);
  try {
    await comPaciencia(() =>
      knex.raw(`
        ALTER TABLE faturas ADD KEY ${INDICE} (provedor_id, situacao, vencimento, id), ALGORITHM=INPLACE, LOCK=NONE`),
    );
  } finally {
    await knex.raw('SET SESSION lock_wait_timeout = DEFAULT');
  }
}

export async function down(knex: Knex): Promise<void> {
  if (await temIndice(knex)) await knex.raw(`ALTER TABLE faturas DROP KEY ${INDICE}`);
}

async function comPaciencia(fazer: () => PromiseLike<unknown>): Promise<void> {
  for (let vez = 1; ; vez += 1) {
    try {
      await fazer();
      return;
    } catch (error) {
      const ocupada = error instanceof Error && 'errno' in error && error.errno === LOCK_WAIT_TIMEOUT;
      if (!ocupada || vez === VEZES) throw error;
      await sleep(DESCANSO_MS);
    }
  }
}

async function temIndice(knex: Knex): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM faturas WHERE Key_name = ?', [INDICE]);
  return rows !== undefined && rows.length > 0;
}
