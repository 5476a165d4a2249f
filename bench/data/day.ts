import { diaDaTarefa } from '../../src/domain/tarefas/dia.regras.ts';
import { TAREFAS_DIARIAS } from '../../src/domain/tarefas/tarefas.types.ts';
import type { Db } from '../../src/platform/mysql/database.ts';

const ZONE = 'America/Sao_Paulo';
const PROVIDERS_A_STATEMENT = 500;

/** Nothing is to be done today for any of the providers, so that no bench measures the work of their day. */
export async function endTheDay(db: Db, providers: readonly number[]): Promise<void> {
  const feita = { iniciada_em: '2026-01-01 00:00:00', concluida_em: '2026-01-01 00:00:00' };
  const dia = diaDaTarefa(ZONE, new Date());
  for (let begin = 0; begin < providers.length; begin += PROVIDERS_A_STATEMENT) {
    const some = providers.slice(begin, begin + PROVIDERS_A_STATEMENT);
    const rows = some.flatMap((provedor_id) =>
      TAREFAS_DIARIAS.map((tarefa) => ({ provedor_id, tarefa, dia, ...feita })),
    );
    await db('tarefas_diarias').insert(rows).onConflict().merge(feita);
  }
}
