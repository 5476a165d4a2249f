import { hojeEm } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { exigido, lerCampos } from '../campos/campos.ts';
import { data, escolha } from '../campos/leitores.ts';
import { faltaEm } from '../erros.ts';
import type { Write } from '../escrita.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { createTarefasQueries } from './tarefas.queries.ts';
import { TAREFAS_DIARIAS } from './tarefas.types.ts';
import type { TarefaDiaria } from './tarefas.types.ts';

export type ReaberturaService = ReturnType<typeof createReaberturaService>;

const CAMPOS_DA_REABERTURA = { tarefa: exigido(escolha(TAREFAS_DIARIAS)), dia: exigido(data) } as const;

export interface ReaberturaDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

/** Daily work that is to be done again, as staff ask for it. */
export function createReaberturaService({ w, provedor, relogio }: ReaberturaDeps) {
  return {
    /**
     * Has a task's day done again (`tarefa`, `dia`), and the days after it. The newest day is queued anew by the next plan, within a
     * minute; an earlier one only by whoever asks for its job.
     *
     * @returns how many days are undone; 0 where none was done, or begun.
     * @throws CamposInvalidos, of `dia` also where it has not begun there.
     */
    async reabrir(dados: unknown): Promise<number> {
      const { tarefa, dia } = lerCampos(CAMPOS_DA_REABERTURA, dados);
      if (dia > hojeEm(provedor.fusoHorario, relogio.agora())) faltaEm('dia', 'ainda não começou');
      return reabrirDesde(w, tarefa, dia);
    },
  };
}

/** Makes a day undone, and the days after it: what they wrote would otherwise be newer. Whoever is at one stops. */
export async function reabrirDesde(w: Write, tarefa: TarefaDiaria, dia: Data): Promise<number> {
  const queries = createTarefasQueries(w, tarefa);
  await queries.travar();
  const dias = await queries.reabrir(dia);
  if (dias > 0) w.emit('tarefa.reaberta', null, { tarefa, dia, dias });
  return dias;
}

/** Has the newest day done again, for what it was done by has changed: the next plan finds it missing. */
export async function reabrirUltimoDia(w: Write, tarefa: TarefaDiaria): Promise<void> {
  const queries = createTarefasQueries(w, tarefa);
  await queries.travar();
  const dia = await queries.ultimoDia();
  if (dia !== null) await queries.reabrir(dia);
}
