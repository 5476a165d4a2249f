import type { Knex } from 'knex';
import type { Data } from '../../brazil/calendario/datas.ts';
import { columns, expressions, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { FaturaRow, LugarDaFatura } from './faturas.types.ts';

/** What a daily task needs to know of an invoice. */
export type FaturaDoLote = Pick<
  FaturaRow,
  'id' | 'emitida_em' | 'cobrador_id' | 'valor' | 'valor_pago' | 'abatido' | 'vencimento' | 'pix_txid' | 'situacao'
>;

const DO_LOTE = columns<FaturaDoLote>('faturas', {
  id: true,
  emitida_em: true,
  cobrador_id: true,
  situacao: true,
  valor: true,
  valor_pago: true,
  abatido: true,
  vencimento: true,
  pix_txid: true,
});
const QUANTAS = expressions<{ quantas: number }>({ quantas: 'count(*)' });

/** Open invoices whose due date is before `dia`; the index holds all that is asked. */
function vencidas(tenant: TenantDb, dia: Data, depoisDe: LugarDaFatura | null): Knex.QueryBuilder {
  const query = tenant.from('faturas', 'faturas_grupo').where('grupo', 'aberta').where('vencimento', '<', dia);
  return query.modify(depois, 'emitida_em', depoisDe);
}

/**
 * Of those, the ones that are not stored as overdue yet: few, however many became so on earlier days. And those that are due within the
 * days that the provider set, and of which that has not been said for this due date.
 */
function aVencer(tenant: TenantDb, dia: Data, depoisDe: LugarDaFatura | null): Knex.QueryBuilder {
  const ate = tenant.db.raw('DATE_ADD(?, INTERVAL COALESCE((?), 0) DAY)', [
    dia,
    tenant.from('regras_cobranca').select('aviso_dias'),
  ]);
  const query = tenant
    .from('faturas', 'faturas_a_vencer')
    .where('situacao', 'pendente')
    .where('vencimento', '<=', ate)
    .whereRaw('(vencimento < ? OR aviso_vencimento IS NULL OR aviso_vencimento <> vencimento)', [dia]);
  return query.modify(depois, 'vencimento', depoisDe);
}

/** Narrows to what comes after a place, in the order of a column and of the id. */
function depois(query: Knex.QueryBuilder, coluna: 'emitida_em' | 'vencimento', depoisDe: LugarDaFatura | null): void {
  if (depoisDe === null) return;
  const [quando, id] = depoisDe;
  query.whereRaw('(?? > ? OR (?? = ? AND id > ?))', [coluna, quando, coluna, quando, id]);
}

async function quantas(query: Knex.QueryBuilder): Promise<number> {
  const [row] = await rowsOf(query, QUANTAS);
  return row?.quantas ?? 0;
}

export async function contarVencidas(tenant: TenantDb, dia: Data, depoisDe: LugarDaFatura | null): Promise<number> {
  return quantas(vencidas(tenant, dia, depoisDe));
}

export async function contarAVencer(tenant: TenantDb, dia: Data, depoisDe: LugarDaFatura | null): Promise<number> {
  return quantas(aVencer(tenant, dia, depoisDe));
}

/** The next overdue invoices in the order of their emission. */
export async function proximasVencidas(
  tenant: TenantDb,
  dia: Data,
  depoisDe: LugarDaFatura | null,
  limite: number,
): Promise<FaturaDoLote[]> {
  return rowsOf(vencidas(tenant, dia, depoisDe).orderBy(['emitida_em', 'id']).limit(limite), DO_LOTE);
}

/** The next to be stored as overdue, or announced, in the order of their due dates. */
export async function proximasAVencer(
  tenant: TenantDb,
  dia: Data,
  depoisDe: LugarDaFatura | null,
  limite: number,
): Promise<FaturaDoLote[]> {
  return rowsOf(aVencer(tenant, dia, depoisDe).orderBy(['vencimento', 'id']).limit(limite), DO_LOTE);
}

/** Those of some invoices that are still overdue, as they are by now. */
export async function aindaVencidas(tenant: TenantDb, dia: Data, ids: readonly number[]): Promise<FaturaDoLote[]> {
  const delas = tenant.from('faturas').whereIn('id', [...ids]);
  return rowsOf(delas.where('grupo', 'aberta').where('vencimento', '<', dia), DO_LOTE);
}
