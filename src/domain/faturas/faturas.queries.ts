import type { Knex } from 'knex';
import { diasEntre } from '../../brazil/datas.ts';
import type { Data } from '../../brazil/datas.ts';
import { readPage } from '../../platform/pages.ts';
import type { Page, PageRequest } from '../../platform/pages.ts';
import { sameTenant } from '../../platform/tenant.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import type {
  FaturaRow,
  FiltroFaturas,
  FiltroSituacaoFatura,
  PagamentoComFaturaRow,
  PagamentoRow,
} from './faturas.types.ts';

const COLUNAS = [
  'id',
  'cliente_id',
  'contrato_id',
  'descricao',
  'situacao',
  'tipo',
  'valor',
  'valor_pago',
  'vencimento',
  'emitida_em',
  'pago_em',
  'token',
  'pix_txid',
  'pix_copia_cola',
  'linha_digitavel',
  'codigo_barras',
];

/** Due dates this close hold few enough invoices to be sorted by emission afterwards. */
const DIAS_DE_UM_INTERVALO_CURTO = 31;

export function createFaturasQueries(tenant: TenantDb) {
  return {
    /** One page of invoices, newest first; what is overdue is judged by `hoje`, not by what a job has stored. */
    async listar(filtro: FiltroFaturas, hoje: Data, pagina: PageRequest): Promise<Page<FaturaRow>> {
      const { clienteId, contratoId, situacao, vencimentoDe, vencimentoAte } = filtro;
      return readPage<FaturaRow>(
        tenant,
        {
          table: 'faturas',
          index: indiceDe(filtro),
          order: [
            { column: 'faturas.emitida_em', order: 'desc' },
            { column: 'faturas.id', order: 'desc' },
          ],
          filter(query) {
            if (clienteId !== undefined) query.where('faturas.cliente_id', clienteId);
            if (contratoId !== undefined) query.where('faturas.contrato_id', contratoId);
            if (situacao !== undefined) filtrarSituacao(query, situacao, hoje);
            if (vencimentoDe !== undefined) query.where('faturas.vencimento', '>=', vencimentoDe);
            if (vencimentoAte !== undefined) query.where('faturas.vencimento', '<=', vencimentoAte);
          },
        },
        pagina,
        COLUNAS,
      );
    },

    async buscarPorId(id: number): Promise<FaturaRow | undefined> {
      const [row] = await tenant.from('faturas').where('faturas.id', id).select<FaturaRow[]>(COLUNAS);
      return row;
    },

    /** Open invoices that are paid in part, of a range of ids. */
    async pagasEmParte(
      depoisDe: number,
      ate: number,
    ): Promise<Pick<FaturaRow, 'id' | 'valor' | 'valor_pago' | 'vencimento'>[]> {
      return tenant
        .from('faturas')
        .where('id', '>', depoisDe)
        .where('id', '<=', ate)
        .where('grupo', 'aberta')
        .where('valor_pago', '>', 0)
        .select<FaturaRow[]>('id', 'valor', 'valor_pago', 'vencimento');
    },

    /** Payments received for some invoices. */
    async pagamentosDe(faturaIds: readonly number[]): Promise<PagamentoRow[]> {
      return tenant
        .from('pix_recebidos')
        .whereIn('fatura_id', faturaIds)
        .select<PagamentoRow[]>('fatura_id', 'valor', 'devolvido', 'pago_em');
    },

    /** The same, each with the state of its invoice in the same reading. */
    async pagamentosComFatura(faturaIds: readonly number[]): Promise<PagamentoComFaturaRow[]> {
      return tenant
        .from('pix_recebidos')
        .join('faturas', sameTenant('pix_recebidos', 'fatura_id', 'faturas', 'id'))
        .whereIn('pix_recebidos.fatura_id', faturaIds)
        .select(['fatura_id', 'valor', 'devolvido', 'pago_em'].map((coluna) => `pix_recebidos.${coluna}`))
        .select<PagamentoComFaturaRow[]>({
          situacao: 'faturas.situacao',
          valor_pago: 'faturas.valor_pago',
          fatura_pago_em: 'faturas.pago_em',
        });
    },
  };
}

/** The covering index of a filter; where two would do, the optimizer knows better how many rows each leaves. */
function indiceDe(filtro: FiltroFaturas): string | undefined {
  const { clienteId, contratoId, situacao = 'todas', vencimentoDe, vencimentoAte } = filtro;
  if (clienteId !== undefined) return contratoId === undefined ? 'faturas_cliente' : undefined;
  if (contratoId !== undefined) return 'faturas_contrato';
  if (vencimentoDe !== undefined || vencimentoAte !== undefined) {
    const poucosDias =
      vencimentoDe !== undefined &&
      vencimentoAte !== undefined &&
      diasEntre(vencimentoDe, vencimentoAte) < DIAS_DE_UM_INTERVALO_CURTO;
    return poucosDias ? 'faturas_vencimento' : undefined;
  }
  if (situacao === 'todas') return 'faturas_emissao';
  return situacao === 'pendente' || situacao === 'vencida' ? undefined : 'faturas_grupo';
}

function filtrarSituacao(query: Knex.QueryBuilder, situacao: FiltroSituacaoFatura, hoje: Data): void {
  switch (situacao) {
    case 'todas':
      return;
    case 'aberta':
      query.where('faturas.grupo', 'aberta');
      return;
    case 'pendente':
      query.where('faturas.grupo', 'aberta').where('faturas.vencimento', '>=', hoje);
      return;
    case 'vencida':
      query.where('faturas.grupo', 'aberta').where('faturas.vencimento', '<', hoje);
      return;
    case 'paga':
    case 'cancelada':
    case 'estornada':
      query.where('faturas.grupo', situacao);
  }
}
