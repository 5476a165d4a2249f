import type { Knex } from 'knex';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { Write } from '../../escrita.ts';
import type { OrigemDaVez } from '../faturamento.types.ts';

/** A run as its undoing knows it. */
export interface VezRow {
  id: number;
  dia: Data;
  origem: OrigemDaVez;
  desfeito_em: string | null;
  desfeito_por: string | null;
  desfazendo: number | null;
}

const DA_VEZ = columns<VezRow>('faturamentos', {
  id: true,
  dia: true,
  origem: true,
  desfeito_em: true,
  desfeito_por: true,
  desfazendo: true,
});
const DO_DIA = columns<{ dia: Data; concluida_em: string | null }>('tarefas_diarias', {
  dia: true,
  concluida_em: true,
});

/** A run, as it is; undefined where the provider has none of that id. */
export async function lerVez(w: Write, id: number): Promise<VezRow | undefined> {
  const [vez] = await rowsOf(w.from('faturamentos').where({ id }), DA_VEZ);
  return vez;
}

/** A run, held until the transaction ends; undefined where the provider has none of that id. */
export async function travarVez(w: Write, id: number): Promise<VezRow | undefined> {
  const [vez] = await rowsOf(w.from('faturamentos').where({ id }).forUpdate(), DA_VEZ);
  return vez;
}

/**
 * Whether the day's task may still add to what it has charged on a day. Once the task of a later day has begun, up to `hoje`, it can't: it
 * was stopped, and its row never says that it is done.
 */
export async function diaPorFazer(w: Write, dia: Data, hoje: Data): Promise<boolean> {
  const ultimos = w.from('tarefas_diarias').where({ tarefa: 'faturas.gerar' });
  const ate = dia > hoje ? dia : hoje;
  const [ultimo] = await rowsOf(ultimos.whereBetween('dia', [dia, ate]).orderBy('dia', 'desc').limit(1), DO_DIA);
  return ultimo?.dia === dia && ultimo.concluida_em === null;
}

/** Columns of {@link comPosterior}. */
export const DA_ANTERIOR = columns<{ contrato_id: number }>('f', { contrato_id: true });

/** Charges of a run, `f`, from which one of a later month, `g`, of another run was computed. */
export function comPosterior(w: Write, vezId: number): Knex.QueryBuilder {
  return w
    .from('faturamento_cobrancas as f')
    .join('faturamento_cobrancas as g', sameTenant('f', 'contrato_id', 'g', 'contrato_id'))
    .where('f.faturamento_id', vezId)
    .whereRaw("(g.competencia > f.competencia OR (f.tipo = 'carne' AND g.competencia = f.competencia))")
    .whereNot('g.faturamento_id', vezId)
    .where('g.tipo', 'mensalidade');
}
