import type { Data } from '../../brazil/calendario/datas.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { apurarDivida, apurarFatura, pedePagamentos } from './apuracao.regras.ts';
import { createFaturasQueries } from './faturas.queries.ts';
import type { Fatura, FaturaRow, PagamentoRow } from './faturas.types.ts';

/** Payments received for some invoices, in no order. */
export async function listarPagamentos(tenant: TenantDb, faturaIds: readonly number[]): Promise<PagamentoRow[]> {
  return createFaturasQueries(tenant).pagamentosDe(faturaIds);
}

/**
 * What stored invoices are on a day; asks for payments, in one statement, only where some invoice is paid in part. A payment may have been
 * committed since the rows were read, so the statement reads with the payments what they have made of the invoice.
 */
export async function apurarFaturas(
  tenant: TenantDb,
  provedor: Provedor,
  hoje: Data,
  rows: readonly FaturaRow[],
): Promise<Fatura[]> {
  const emParte = rows.filter(pedePagamentos).map(({ id }) => id);
  const pagamentos = emParte.length === 0 ? [] : await createFaturasQueries(tenant).pagamentosComFatura(emParte);
  const porFatura = groupBy(pagamentos, ({ fatura_id }) => fatura_id);
  return rows.map((row) => {
    const dela = porFatura.get(row.id) ?? [];
    const [agora] = dela;
    const { situacao, valor_pago, fatura_pago_em } = agora ?? { ...row, fatura_pago_em: row.pago_em };
    return apurarFatura({ ...row, situacao, valor_pago, pago_em: fatura_pago_em }, dela, provedor, hoje);
  });
}

/** What is left to pay on a day of the open invoices that are paid in part, of those with ids after the first and up to the second. */
export async function emAbertoPagasEmParte(
  tenant: TenantDb,
  provedor: Provedor,
  hoje: Data,
  [depoisDe, ate]: readonly [number, number],
): Promise<Map<number, Centavos>> {
  const queries = createFaturasQueries(tenant);
  const rows = await queries.pagasEmParte(depoisDe, ate);
  const pagamentos = rows.length === 0 ? [] : await queries.pagamentosDe(rows.map(({ id }) => id));
  const porFatura = groupBy(pagamentos, ({ fatura_id }) => fatura_id);
  return new Map(rows.map((row) => [row.id, apurarDivida(row, porFatura.get(row.id) ?? [], provedor, hoje).total]));
}
