import type { Knex } from 'knex';
import type { Data } from '../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { jsonColumn, toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import { TAREFA_TERMINADA } from '../eventos/eventos.types.ts';
import { esquecerDito } from '../push/lembretes/uma-vez.service.ts';
import { falhaDe } from './tarefas.types.ts';
import type { TarefaDiaria } from './tarefas.types.ts';

interface TarefaRow {
  cursor_em: string | object | null;
  linhas: number;
  lotes: number;
  concluida_em: string | null;
}

const DA_TAREFA = columns<TarefaRow>('tarefas_diarias', {
  cursor_em: true,
  linhas: true,
  lotes: true,
  concluida_em: true,
});
const DAS_REGRAS = columns<{ provedor_id: number }>('regras_cobranca', { provedor_id: true });
const DIA = columns<{ dia: Data }>('tarefas_diarias', { dia: true });

/** How far the work of a day has come. */
export interface Andamento {
  /** A place of the task's own; see `Trabalho`. */
  readonly cursor: object | null;
  readonly linhas: number;
  /** Grows with every chunk, and with every new beginning: who finds another number is not the one who goes on. */
  readonly lotes: number;
  readonly concluida: boolean;
}

const DO_COMECO = { cursor_em: null, linhas: 0, concluida_em: null };

export function createTarefasQueries(w: Write, tarefa: TarefaDiaria) {
  return {
    /** Holds up whoever else begins or reopens a task of this provider until the transaction ends. */
    async travar(): Promise<void> {
      await rowsOf(w.from('regras_cobranca').forUpdate(), DAS_REGRAS);
    },

    async buscar(dia: Data): Promise<Andamento | null> {
      const [row] = await rowsOf(w.from('tarefas_diarias').where({ tarefa, dia }), DA_TAREFA);
      if (row === undefined) return null;
      const { cursor_em, linhas, lotes, concluida_em } = row;
      return {
        cursor: cursor_em === null ? null : jsonColumn<object>(cursor_em),
        linhas,
        lotes,
        concluida: concluida_em !== null,
      };
    },

    /** Whether a day after `dia`, up to `hoje`, has been done. */
    async haPosterior(dia: Data, hoje: Data): Promise<boolean> {
      const posteriores = w
        .from('tarefas_diarias')
        .where({ tarefa })
        .whereBetween('dia', [dia, hoje])
        .whereNot({ dia })
        .whereNotNull('concluida_em');
      return (await rowsOf(posteriores.limit(1), DIA)).length > 0;
    },

    /** The newest day that was begun. */
    async ultimoDia(): Promise<Data | null> {
      const [row] = await rowsOf(w.from('tarefas_diarias').where({ tarefa }).orderBy('dia', 'desc').limit(1), DIA);
      return row?.dia ?? null;
    },

    /** Whoever is still at an earlier day stops: what it writes would be older than what this day writes. */
    async pararAnteriores(dia: Data): Promise<void> {
      const anteriores = (query: Knex.QueryBuilder): void =>
        void query.where({ tarefa }).where('dia', '<', dia).whereNull('concluida_em');
      await w.update('tarefas_diarias', anteriores, { lotes: w.tenant.db.raw('lotes + 1') });
    },

    async comecar(dia: Data, agora: Date): Promise<void> {
      await w.insert('tarefas_diarias', { tarefa, dia, iniciada_em: toDatabaseTime(agora) });
    },

    /** Makes days that have been done, from `desde` on, undone; whoever is at one stops at the next chunk. */
    async reabrir(desde: Data): Promise<number> {
      const lotes = w.tenant.db.raw('lotes + 1');
      return w.update('tarefas_diarias', (query) => void query.where({ tarefa }).where('dia', '>=', desde), {
        ...DO_COMECO,
        lotes,
      });
    },

    /** Notes a chunk as done, if nobody else has since this run read `lotes`; says whether it did. */
    async avancar(dia: Data, { cursor, linhas, lotes }: Omit<Andamento, 'concluida'>): Promise<boolean> {
      const mudadas = await w.update('tarefas_diarias', (query) => void query.where({ tarefa, dia, lotes }), {
        cursor_em: JSON.stringify(cursor),
        linhas,
        lotes: lotes + 1,
      });
      return mudadas === 1;
    },

    /** Notes a day as done, whatever staff were told of it before, if nobody else is ahead; says whether it did. */
    async concluir(dia: Data, lotes: number, agora: Date): Promise<boolean> {
      const mudadas = await w.update('tarefas_diarias', (query) => void query.where({ tarefa, dia, lotes }), {
        cursor_em: null,
        lotes: lotes + 1,
        concluida_em: toDatabaseTime(agora),
      });
      // Reopened, it has not failed yet.
      if (mudadas !== 1) return false;
      await esquecerDito(w, falhaDe(tarefa, dia));
      await w.insert('eventos', { tipo: TAREFA_TERMINADA, etiquetas: '[]' });
      return true;
    },
  };
}
