import { createTarefasQueries } from './tarefas.queries.ts';
import type { TarefaDiaria } from './tarefas.types.ts';
import type { Write } from '../escrita.ts';

/** Has the newest day done again, for what it was done by has changed: the next plan finds it missing. */
export async function reabrirUltimoDia(w: Write, tarefa: TarefaDiaria): Promise<void> {
  const queries = createTarefasQueries(w, tarefa);
  await queries.travar();
  const dia = await queries.ultimoDia();
  if (dia !== null) await queries.reabrir(dia);
}
