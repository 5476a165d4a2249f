import type { Data } from '../../brazil/datas.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { apurarFatura, pedePagamentos } from './apuracao.regras.ts';
import { createFaturasQueries } from './faturas.queries.ts';
import type { Fatura, FaturaRow, PagamentoRow } from './faturas.types.ts';

/** Payments received for some invoices, in no order. */
export async function listarPagamentos(tenant: TenantDb, faturaIds: readonly number[]): Promise<PagamentoRow[]> {
  return createFaturasQueries(tenant).pagamentosDe(faturaIds);
}

/** What stored invoices are on a day; asks for payments, in one statement, only where some invoice is paid in part. */
export async function apurarFaturas(
  tenant: TenantDb,
  provedor: Provedor,
  hoje: Data,
  rows: readonly FaturaRow[],
): Promise<Fatura[]> {
  const emParte = rows.filter(pedePagamentos).map(({ id }) => id);
  const pagamentos = emParte.length === 0 ? [] : await listarPagamentos(tenant, emParte);
  const porFatura = groupBy(pagamentos, ({ fatura_id }) => fatura_id);
  return rows.map((row) => apurarFatura(row, porFatura.get(row.id) ?? [], provedor, hoje));
}
