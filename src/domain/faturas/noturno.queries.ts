import type { Knex } from 'knex';
import type { Data } from '../../brazil/datas.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import type { Cursor, FaturaDoLote } from '../tarefas/tarefas.types.ts';
import type { SituacaoFatura } from './faturas.types.ts';

const COLUNAS = ['id', 'emitida_em', 'situacao', 'valor', 'valor_pago', 'vencimento', 'pix_txid'];

/** Open invoices whose due date is before `dia`; the index holds all that is asked, save the state itself. */
function vencidas(tenant: TenantDb, dia: Data, depoisDe: Cursor | null, situacao?: SituacaoFatura): Knex.QueryBuilder {
  const query = tenant.from('faturas', 'faturas_grupo').where('grupo', 'aberta').where('vencimento', '<', dia);
  if (situacao !== undefined) query.where({ situacao });
  if (depoisDe !== null) {
    const [emitidaEm, id] = depoisDe;
    query.whereRaw('(emitida_em > ? OR (emitida_em = ? AND id > ?))', [emitidaEm, emitidaEm, id]);
  }
  return query;
}

export async function contarVencidas(
  tenant: TenantDb,
  dia: Data,
  depoisDe: Cursor | null,
  situacao?: SituacaoFatura,
): Promise<number> {
  const [row] = await vencidas(tenant, dia, depoisDe, situacao).count<{ quantas: number }[]>('* as quantas');
  return row?.quantas ?? 0;
}

/** The next overdue invoices in the order of their emission. */
export async function proximasVencidas(
  tenant: TenantDb,
  dia: Data,
  depoisDe: Cursor | null,
  limite: number,
  situacao?: SituacaoFatura,
): Promise<FaturaDoLote[]> {
  return vencidas(tenant, dia, depoisDe, situacao)
    .orderBy(['emitida_em', 'id'])
    .limit(limite)
    .select<FaturaDoLote[]>(COLUNAS);
}

/** Those of some invoices that are still overdue, as they are by now. */
export async function aindaVencidas(tenant: TenantDb, dia: Data, ids: readonly number[]): Promise<FaturaDoLote[]> {
  return tenant
    .from('faturas')
    .whereIn('id', [...ids])
    .where('grupo', 'aberta')
    .where('vencimento', '<', dia)
    .select<FaturaDoLote[]>(COLUNAS);
}
