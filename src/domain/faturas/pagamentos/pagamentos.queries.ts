import type { Knex } from 'knex';
import { rowsOf } from '../../../platform/mysql/columns.ts';
import type { Columns } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import {
  FATURA_DO_PAGAMENTO,
  PAGAMENTOS_MANUAIS,
  PAGAMENTOS_PIX,
  PAGAMENTOS_POR_AJUSTE,
  PAGAMENTOS_POR_BOLETO,
} from './pagamentos.types.ts';
import type { FaturaDoPagamento, PagamentoRow } from './pagamentos.types.ts';

/** All that lowers the debts of some invoices, in no order and in one statement: what was undone is not there. */
export async function pagamentosDe(tenant: TenantDb, faturaIds: readonly number[]): Promise<PagamentoRow[]> {
  return rowsOf(juntos(tenant, faturaIds, null), PAGAMENTOS_PIX);
}

/** The same, each with the state of its invoice in the same reading. */
export async function pagamentosComFatura(
  tenant: TenantDb,
  faturaIds: readonly number[],
): Promise<(PagamentoRow & FaturaDoPagamento)[]> {
  return rowsOf(juntos(tenant, faturaIds, FATURA_DO_PAGAMENTO), PAGAMENTOS_PIX, FATURA_DO_PAGAMENTO);
}

/** The PIX, with the others below them; the columns of the PIX are named by who asks. */
function juntos(
  tenant: TenantDb,
  faturaIds: readonly number[],
  daFatura: Columns<FaturaDoPagamento> | null,
): Knex.QueryBuilder {
  const de = (tabela: string): Knex.QueryBuilder => {
    const query = tenant.from(tabela).whereIn(`${tabela}.fatura_id`, faturaIds);
    return daFatura === null ? query : query.join('faturas', sameTenant(tabela, 'fatura_id', 'faturas', 'id'));
  };
  const outros = (tabela: string, colunas: Columns<PagamentoRow>): Knex.QueryBuilder => {
    const lista = daFatura === null ? colunas.list : `${colunas.list}, ${daFatura.list}`;
    return de(tabela).whereNull(`${tabela}.desfeito_em`).select(tenant.db.raw(lista));
  };
  return de('pix_recebidos').unionAll([
    outros('recebimentos_manuais', PAGAMENTOS_MANUAIS),
    outros('boletos_recebidos', PAGAMENTOS_POR_BOLETO),
    outros('faturas_ajustes', PAGAMENTOS_POR_AJUSTE),
  ]);
}
