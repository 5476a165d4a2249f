import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';

/** Of what is due before a day and still stored as `pendente`, and of the unblocks whose time is over: few, however many others there are. */
const INDICES = [
  ['faturas', 'faturas_a_vencer', 'provedor_id, situacao, vencimento, id'],
  ['desbloqueios_confianca', 'desbloqueios_confianca_vencidos', 'encerrado_em, ate, provedor_id'],
] as const;

/** Milliseconds until we ask again, and how often we do. */
const DESCANSO_MS = 3000;
const VEZES = 120;
const LOCK_WAIT_TIMEOUT = 1205;

/** Indexes for the jobs that look for what has just come due. */
export async function up(knex: Knex): Promise<void> {
  // Built while others read and write. To begin and to end it waits for transactions that have read the table, such as an extract's, and
  // whoever comes meanwhile waits behind it: so it gives way soon (lock_wait_timeout of database.ts), and tries again.
  for (const [tabela, indice, colunas] of INDICES) {
    if (await temIndice(knex, tabela, indice)) continue;
    const criar = `ALTER TABLE ${tabela} ADD KEY ${indice} (${colunas}), ALGORITHM=INPLACE, LOCK=NONE`;
    await comPaciencia(() => knex.raw(criar));
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [tabela, indice] of INDICES) await knex.raw(`ALTER TABLE ${tabela} DROP KEY ${indice}`);
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

async function temIndice(knex: Knex, tabela: string, indice: string): Promise<boolean> {
  const [rows] = await knex.raw<unknown[][]>('SHOW INDEX FROM ?? WHERE Key_name = ?', [tabela, indice]);
  return rows !== undefined && rows.length > 0;
}
