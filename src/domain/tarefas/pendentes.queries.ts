import type { Data } from '../../brazil/calendario/datas.ts';
import { columns, rowsOf, rowsOfSql } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { TAREFAS_DIARIAS } from './tarefas.types.ts';
import type { TarefaDoDia } from './tarefas.types.ts';

const FUSO = columns<{ fuso_horario: string }>('provedores', { fuso_horario: true });

/** The zones that providers keep. Crosses tenants, by name and on purpose. */
export async function fusosEmUso(db: Db): Promise<string[]> {
  const rows = await rowsOf(db('provedores').distinct(), FUSO);
  return rows.map(({ fuso_horario }) => fuso_horario);
}

interface PendenteRow {
  tarefa: TarefaDoDia['tarefa'];
  provedor_id: number;
  dia: Data;
}

const DA_PENDENTE = columns<PendenteRow>('tarefas', { tarefa: true, provedor_id: 'p.id', dia: 'dias.dia' });

/**
 * What providers have not done of the day that it is in their zone, task by task: an extract takes longest and can wait, what is owed cannot.
 * Crosses tenants, by name and on purpose.
 */
export async function tarefasPendentes(
  db: Db,
  dias: readonly { readonly fuso: string; readonly dia: Data }[],
): Promise<TarefaDoDia[]> {
  const rows = await rowsOfSql(
    db,
    DA_PENDENTE,
    (colunas) =>
      `SELECT ${colunas}
         FROM JSON_TABLE(?, '$[*]' COLUMNS (
                fuso VARCHAR(64) CHARACTER SET ascii PATH '$.fuso', dia DATE PATH '$.dia')) AS dias
         JOIN JSON_TABLE(?, '$[*]' COLUMNS (
                vez FOR ORDINALITY, tarefa VARCHAR(40) CHARACTER SET ascii PATH '$')) AS tarefas
         JOIN provedores p ON p.fuso_horario = dias.fuso
         LEFT JOIN tarefas_diarias t
           ON t.provedor_id = p.id AND t.tarefa = tarefas.tarefa AND t.dia = dias.dia AND t.concluida_em IS NOT NULL
        WHERE t.provedor_id IS NULL
        ORDER BY tarefas.vez, p.id`,
    [JSON.stringify(dias), JSON.stringify(TAREFAS_DIARIAS)],
  );
  return rows.map(({ tarefa, provedor_id, dia }) => ({ tarefa, provedorId: provedor_id, dia }));
}

interface ContagemRow {
  tarefa: TarefaDoDia['tarefa'];
  fuso: string;
  dia: Data;
  provedores: number;
  feitas: number | string | null;
}

const DA_CONTAGEM = columns<ContagemRow>('dias', {
  tarefa: 'tarefas.tarefa',
  fuso: true,
  dia: true,
  provedores: 'COUNT(*)',
  feitas: 'COUNT(t.concluida_em)',
});

/** How many providers of each zone have done each task of a day. Crosses tenants, by name and on purpose. */
export async function contarTarefas(
  db: Db,
  dias: readonly { readonly fuso: string; readonly dia: Data }[],
): Promise<ContagemRow[]> {
  return rowsOfSql(
    db,
    DA_CONTAGEM,
    (colunas) =>
      `SELECT ${colunas}
         FROM JSON_TABLE(?, '$[*]' COLUMNS (
                fuso VARCHAR(64) CHARACTER SET ascii PATH '$.fuso', dia DATE PATH '$.dia')) AS dias
         JOIN JSON_TABLE(?, '$[*]' COLUMNS (tarefa VARCHAR(40) CHARACTER SET ascii PATH '$')) AS tarefas
         JOIN provedores p ON p.fuso_horario = dias.fuso
         LEFT JOIN tarefas_diarias t ON t.provedor_id = p.id AND t.tarefa = tarefas.tarefa AND t.dia = dias.dia
        GROUP BY tarefas.tarefa, dias.fuso, dias.dia`,
    [JSON.stringify(dias), JSON.stringify(TAREFAS_DIARIAS)],
  );
}
