import type { Knex } from 'knex';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { Write } from '../../escrita.ts';
import type { ItemDaCobranca, OrigemDaVez, TipoDeCobranca } from '../faturamento.types.ts';

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

/** A charge of nothing that a run undone before has left, because a later one was computed from it. */
export interface GuardadaRow {
  contrato_id: number;
  competencia: Data;
  tipo: TipoDeCobranca;
  faturamento_id: number;
  itens: string | readonly ItemDaCobranca[];
}

const DA_GUARDADA = columns<GuardadaRow>('f', {
  contrato_id: true,
  competencia: true,
  tipo: true,
  faturamento_id: true,
  itens: true,
});

/** Whether what a charge left to the client was not settled: if it went, it would be given to him again. */
export const naoAcertada = (itens: string): string => `NOT JSON_CONTAINS(${itens}, '{"tipo":"acertado"}')`;

/** Whether a run, by its alias, is taken back to its end. */
const desfeita = (v: string): string => `(${v}.desfeito_em IS NOT NULL AND ${v}.desfazendo IS NULL)`;

/**
 * Those of some contracts of a run for which nothing later stands any more. Another of them stands only where something later than it
 * does.
 */
export async function guardadasSemPosterior(
  w: Write,
  vezId: number,
  contratos: readonly number[],
): Promise<GuardadaRow[]> {
  const posterior = w
    .from('faturamento_cobrancas as g')
    .join('faturamentos as u', sameTenant('g', 'faturamento_id', 'u', 'id'))
    .whereRaw('g.contrato_id = f.contrato_id')
    .where('g.tipo', 'mensalidade')
    .whereRaw("(g.competencia > f.competencia OR (f.tipo = 'carne' AND g.competencia = f.competencia))")
    .whereRaw(`(g.fatura_id IS NOT NULL OR NOT ${desfeita('u')})`)
    .select('g.contrato_id');
  const delas = w
    .from('faturamento_cobrancas as f')
    .join('faturamentos as v', sameTenant('f', 'faturamento_id', 'v', 'id'))
    .whereIn('f.contrato_id', contratos)
    .whereNull('f.fatura_id')
    .whereNot('f.faturamento_id', vezId)
    .whereRaw(desfeita('v'))
    .whereRaw(naoAcertada('f.itens'))
    .whereNotExists(posterior);
  return rowsOf(delas, DA_GUARDADA);
}
