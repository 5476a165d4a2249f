import { groupBy } from '../../platform/group-by.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { COLUNAS_DA_FATURA, COLUNAS_DO_PAGAMENTO } from './recebimentos.types.ts';
import type { FaturaTravadaRow, PagamentoJulgado } from './recebimentos.types.ts';

/** An invoice with its PIX, and the values booked beside them, by `tipo`. */
export interface FaturaComPix {
  readonly fatura: FaturaTravadaRow & { readonly pix_txid: string | null };
  readonly pagamentos: readonly PagamentoJulgado[];
  readonly lancados: ReadonlyMap<string, string>;
}

/** The next invoices with PIX after an id, without locks; what is written by them is judged again under its lock. */
export async function listarFaturasComPix(tenant: TenantDb, depoisDe: number, limite: number): Promise<FaturaComPix[]> {
  const proximas = await tenant
    .from('pix_recebidos')
    .where('fatura_id', '>', depoisDe)
    .distinct<{ fatura_id: number }[]>('fatura_id')
    .orderBy('fatura_id')
    .limit(limite);
  const ids = proximas.map(({ fatura_id }) => fatura_id);
  if (ids.length === 0) return [];
  const faturas = await tenant
    .from('faturas')
    .whereIn('id', ids)
    .orderBy('id')
    .select<FaturaComPix['fatura'][]>([...COLUNAS_DA_FATURA, 'pix_txid']);
  const pagamentos = await tenant
    .from('pix_recebidos')
    .whereIn('fatura_id', ids)
    .select<(PagamentoJulgado & { fatura_id: number })[]>('fatura_id', ...COLUNAS_DO_PAGAMENTO);
  const lancamentos = await tenant
    .from('faturas_lancamentos')
    .whereIn('fatura_id', ids)
    .select<{ fatura_id: number; tipo: string; valor: string }[]>('fatura_id', 'tipo', 'valor');
  const pagamentosDe = groupBy(pagamentos, ({ fatura_id }) => fatura_id);
  const lancamentosDe = groupBy(lancamentos, ({ fatura_id }) => fatura_id);
  return faturas.map((fatura) => ({
    fatura,
    pagamentos: pagamentosDe.get(fatura.id) ?? [],
    lancados: new Map((lancamentosDe.get(fatura.id) ?? []).map(({ tipo, valor }) => [tipo, valor])),
  }));
}
