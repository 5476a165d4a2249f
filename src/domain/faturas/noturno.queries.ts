import type { Knex } from 'knex';
import type { Data } from '../../brazil/datas.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import type { Write } from '../../platform/writes.ts';
import type { Cursor, Lote } from '../tarefas/tarefas.types.ts';
import type { FaturaRow, SituacaoFatura } from './faturas.types.ts';

/** Open invoices whose due date is before `dia`; the index holds all that is asked, save the state itself. */
function vencidas(tenant: TenantDb, dia: Data, depoisDe: Cursor | null, situacao?: SituacaoFatura): Knex.QueryBuilder {
  const query = tenant.from('faturas', 'faturas_grupo').where('grupo', 'aberta').where('vencimento', '<', dia);
  if (situacao !== undefined) query.where('situacao', situacao);
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

/** The next overdue invoices in the order of their emission. Locks nothing. */
export async function proximasVencidas(
  tenant: TenantDb,
  dia: Data,
  depoisDe: Cursor | null,
  limite: number,
  situacao?: SituacaoFatura,
): Promise<Lote | null> {
  const rows = await vencidas(tenant, dia, depoisDe, situacao)
    .orderBy(['emitida_em', 'id'])
    .limit(limite)
    .select<{ emitida_em: string; id: number }[]>('emitida_em', 'id');
  const ultima = rows.at(-1);
  return ultima === undefined ? null : { ids: rows.map(({ id }) => id), cursor: [ultima.emitida_em, ultima.id] };
}

/** What the amount and the code of an invoice are made of. */
export type FaturaVencidaRow = Pick<
  FaturaRow,
  'id' | 'situacao' | 'valor' | 'valor_pago' | 'vencimento' | 'pix_txid' | 'pix_copia_cola'
>;

/**
 * Locks those of some invoices that are still open and overdue, and no others: through the index of `id` alone, where nothing but these
 * ids can be sought, and which no payment changes.
 */
export async function travarVencidas(w: Write, dia: Data, ids: readonly number[]): Promise<FaturaVencidaRow[]> {
  return w.tenant
    .from('faturas', 'faturas_id')
    .whereIn('id', [...ids])
    .where('grupo', 'aberta')
    .where('vencimento', '<', dia)
    .forUpdate()
    .select<FaturaVencidaRow[]>('id', 'situacao', 'valor', 'valor_pago', 'vencimento', 'pix_txid', 'pix_copia_cola');
}
