import type { Data } from '../../brazil/calendario/datas.ts';
import { columns, rowsOf, rowsOfSql } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { ULTIMA_HORA } from '../regua/regua.types.ts';
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
 * What providers have not done of the day that it is in their zone, task by task: an extract takes longest and can
 * wait, what is owed cannot. A ladder waits for its hour, `hora` being the local one, and is not begun at night.
 * Whoever moves to another cell, or lives there, has nothing to do here. Crosses tenants, by name and on purpose.
 */
export async function tarefasPendentes(
  db: Db,
  dias: readonly { readonly fuso: string; readonly dia: Data; readonly hora: number }[],
): Promise<TarefaDoDia[]> {
  const rows = await rowsOfSql(
    db,
    DA_PENDENTE,
    (colunas) =>
      `SELECT ${colunas}
         FROM JSON_TABLE(?, '$[*]' COLUMNS (
                fuso VARCHAR(64) CHARACTER SET ascii PATH '$.fuso', dia DATE PATH '$.dia',
                hora INT PATH '$.hora')) AS dias
         JOIN JSON_TABLE(?, '$[*]' COLUMNS (
                vez FOR ORDINALITY, tarefa VARCHAR(40) CHARACTER SET ascii PATH '$')) AS tarefas
         JOIN provedores p ON p.fuso_horario = dias.fuso
         LEFT JOIN tarefas_diarias t
           ON t.provedor_id = p.id AND t.tarefa = tarefas.tarefa AND t.dia = dias.dia AND t.concluida_em IS NOT NULL
         LEFT JOIN reguas r ON r.provedor_id = p.id AND tarefas.tarefa = 'regua.aplicar' AND r.ativa_desde IS NOT NULL
        WHERE p.mudanca IS NULL AND t.provedor_id IS NULL AND (r.provedor_id IS NULL OR (dias.hora >= r.hora AND dias.hora < ?))
        ORDER BY tarefas.vez, p.id`,
    [JSON.stringify(dias), JSON.stringify(TAREFAS_DIARIAS), ULTIMA_HORA],
  );
  return rows.map(({ tarefa, provedor_id, dia }) => ({ tarefa, provedorId: provedor_id, dia }));
}

interface ContagemRow {
  tarefa: TarefaDoDia['tarefa'];
  fuso: string;
  dia: Data;
  provedores: number;
  feitas: number | string | null;
  /** Of those that have not done it, how many wait for the hour of their ladder, or had it less than an hour ago. */
  esperam: number | string | null;
}

const DA_CONTAGEM = columns<ContagemRow>('dias', {
  tarefa: 'tarefas.tarefa',
  fuso: true,
  dia: true,
  provedores: 'COUNT(*)',
  feitas: 'COUNT(t.concluida_em)',
  esperam: 'SUM(t.concluida_em IS NULL AND r.hora IS NOT NULL AND dias.hora <= r.hora)',
});

/** How many of the providers that live here have done, by their zone, each task of a day. Crosses tenants, by name and on purpose. */
export async function contarTarefas(
  db: Db,
  dias: readonly { readonly fuso: string; readonly dia: Data; readonly hora: number }[],
): Promise<ContagemRow[]> {
  return rowsOfSql(
    db,
    DA_CONTAGEM,
    (colunas) =>
      `SELECT ${colunas}
         FROM JSON_TABLE(?, '$[*]' COLUMNS (
                fuso VARCHAR(64) CHARACTER SET ascii PATH '$.fuso', dia DATE PATH '$.dia',
                hora INT PATH '$.hora')) AS dias
         JOIN JSON_TABLE(?, '$[*]' COLUMNS (tarefa VARCHAR(40) CHARACTER SET ascii PATH '$')) AS tarefas
         JOIN provedores p ON p.fuso_horario = dias.fuso
         LEFT JOIN tarefas_diarias t ON t.provedor_id = p.id AND t.tarefa = tarefas.tarefa AND t.dia = dias.dia
         LEFT JOIN reguas r ON r.provedor_id = p.id AND tarefas.tarefa = 'regua.aplicar' AND r.ativa_desde IS NOT NULL
        WHERE p.mudanca IS NULL
        GROUP BY tarefas.tarefa, dias.fuso, dias.dia`,
    [JSON.stringify(dias), JSON.stringify(TAREFAS_DIARIAS)],
  );
}
