import type { Data } from '../../brazil/calendario/datas.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { apurarDivida, apurarFatura, pedePagamentos, temAbatimento } from './apuracao.regras.ts';
import { createFaturasQueries } from './faturas.queries.ts';
import type { Fatura, FaturaRow } from './faturas.types.ts';
import { pagamentosComFatura, pagamentosDe } from './pagamentos/pagamentos.queries.ts';
import type { PagamentoRow } from './pagamentos/pagamentos.types.ts';

/** What lowers the debts of some invoices, payments and adjustments, in no order. */
export async function listarPagamentos(tenant: TenantDb, faturaIds: readonly number[]): Promise<PagamentoRow[]> {
  return pagamentosDe(tenant, faturaIds);
}

/**
 * What stored invoices are on a day; asks for payments, in one statement, only where some invoice is paid in part or has a discount. A payment may have been
 * committed since the rows were read, so the statement reads with the payments what they have made of the invoice.
 */
export async function apurarFaturas(
  tenant: TenantDb,
  provedor: Provedor,
  hoje: Data,
  rows: readonly FaturaRow[],
): Promise<Fatura[]> {
  const emParte = rows.filter(pedePagamentos).map(({ id }) => id);
  const pagamentos = emParte.length === 0 ? [] : await pagamentosComFatura(tenant, emParte);
  const porFatura = groupBy(pagamentos, ({ fatura_id }) => fatura_id);
  return rows.map((row) => {
    const dela = porFatura.get(row.id) ?? [];
    const [agora] = dela;
    const { situacao, valor_pago, abatido, fatura_pago_em } = agora ?? { ...row, fatura_pago_em: row.pago_em };
    return apurarFatura({ ...row, situacao, valor_pago, abatido, pago_em: fatura_pago_em }, dela, provedor, hoje);
  });
}

/**
 * What is left to pay on a day of the open invoices that are overdue and paid in part, or have a discount, of those with ids after the
 * first and up to the second.
 */
export async function emAbertoPagasEmParte(
  tenant: TenantDb,
  provedor: Provedor,
  hoje: Data,
  [depoisDe, ate]: readonly [number, number],
): Promise<Map<number, Centavos>> {
  const emParte = await createFaturasQueries(tenant).pagasEmParte(depoisDe, ate);
  const rows = emParte.filter((row) => row.vencimento < hoje || temAbatimento(row));
  const ids = rows.map(({ id }) => id);
  const pagamentos = ids.length === 0 ? [] : await pagamentosDe(tenant, ids);
  const porFatura = groupBy(pagamentos, ({ fatura_id }) => fatura_id);
  return new Map(rows.map((row) => [row.id, apurarDivida(row, porFatura.get(row.id) ?? [], provedor, hoje).total]));
}
