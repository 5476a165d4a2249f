import { groupBy } from '../../platform/group-by.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { listarPagamentos } from '../faturas/apuracao.service.ts';
import { COLUNAS_DA_TRAVADA } from './recebimentos.types.ts';
import type { FaturaTravadaRow, PagamentoJulgado } from './recebimentos.types.ts';

/** An invoice with PIX and all else that it is judged by, and the values booked beside them, by `tipo`. */
export interface FaturaComPix {
  readonly fatura: FaturaTravadaRow & { readonly pix_txid: string | null };
  readonly pagamentos: readonly PagamentoJulgado[];
  readonly lancados: ReadonlyMap<string, string>;
}

interface LancadoRow {
  fatura_id: number;
  tipo: string;
  valor: string;
}

const FATURA = columns<{ fatura_id: number }>('pix_recebidos', { fatura_id: true });
const DA_FATURA = columns<FaturaComPix['fatura']>('faturas', { ...COLUNAS_DA_TRAVADA.of, pix_txid: true });
const DO_LANCADO = columns<LancadoRow>('faturas_lancamentos', { fatura_id: true, tipo: true, valor: true });

/** The next invoices with PIX after an id, without locks; what is written by them is judged again under its lock. */
export async function listarFaturasComPix(tenant: TenantDb, depoisDe: number, limite: number): Promise<FaturaComPix[]> {
  const proximas = tenant
    .from('pix_recebidos')
    .where('fatura_id', '>', depoisDe)
    .distinct()
    .orderBy('fatura_id')
    .limit(limite);
  const ids = (await rowsOf(proximas, FATURA)).map(({ fatura_id }) => fatura_id);
  if (ids.length === 0) return [];
  const faturas = await rowsOf(tenant.from('faturas').whereIn('id', ids).orderBy('id'), DA_FATURA);
  const pagamentos = await listarPagamentos(tenant, ids);
  const lancamentos = await rowsOf(tenant.from('faturas_lancamentos').whereIn('fatura_id', ids), DO_LANCADO);
  const pagamentosDe = groupBy(pagamentos, ({ fatura_id }) => fatura_id);
  const lancamentosDe = groupBy(lancamentos, ({ fatura_id }) => fatura_id);
  return faturas.map((fatura) => ({
    fatura,
    pagamentos: pagamentosDe.get(fatura.id) ?? [],
    lancados: new Map((lancamentosDe.get(fatura.id) ?? []).map(({ tipo, valor }) => [tipo, valor])),
  }));
}
