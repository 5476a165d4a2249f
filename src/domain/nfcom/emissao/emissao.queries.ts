import type { Knex } from 'knex';
import { fimDoDiaEm, inicioDoDiaEm } from '../../../brazil/calendario/datas.ts';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { AmbienteNfcom, SituacaoNfcom } from '../nfcom.types.ts';
import type { FiltroDeEmissao } from './emissao.types.ts';

/** An invoice that a note may be asked for. */
export interface CandidataRow {
  id: number;
  cliente_id: number;
  contrato_id: number | null;
  valor: string;
}

const CANDIDATA = columns<CandidataRow>('f', { id: true, cliente_id: true, contrato_id: true, valor: true });
const TOTAL = expressions<{ total: number }>({ total: 'COUNT(*)' });

export interface NotaRow {
  id: number;
  fatura_id: number;
  cliente_id: number;
  contrato_id: number | null;
  situacao: SituacaoNfcom;
  finalidade: 'normal' | 'substituicao' | 'ajuste';
  etapa: string | null;
  ambiente: AmbienteNfcom;
  serie: number | null;
  numero: number | null;
  chave: string | null;
  protocolo: string | null;
  motivo_codigo: string | null;
  valor: string;
  emitida_em: string | null;
  autorizada_em: string | null;
  substitui_id: number | null;
  tentativas: number;
}

export const DA_NOTA = columns<NotaRow>('nfcom', {
  id: true,
  fatura_id: true,
  cliente_id: true,
  contrato_id: true,
  situacao: true,
  finalidade: true,
  etapa: true,
  ambiente: true,
  serie: true,
  numero: true,
  chave: true,
  protocolo: true,
  motivo_codigo: true,
  valor: true,
  emitida_em: true,
  autorizada_em: true,
  substitui_id: true,
  tentativas: true,
});

/**
 * Invoices without a note that count for one: neither cancelled or returned, nor brought by an import, nor of an agreement, whose notes are
 * those of the invoices before it.
 */
function candidatas(tenant: TenantDb, fuso: string, filtro: FiltroDeEmissao): Knex.QueryBuilder {
  const { emitidasDe, emitidasAte, vencimentoDe, vencimentoAte, planoId, clienteId, uf, abertas, faturaIds } = filtro;
  const porDia = vencimentoDe !== undefined || vencimentoAte !== undefined;
  const indice =
    faturaIds !== undefined
      ? 'PRIMARY'
      : clienteId !== undefined
        ? 'faturas_cliente'
        : porDia
          ? 'faturas_vencimento'
          : 'faturas_emissao';
  const query = tenant
    .db(tenant.db.raw('?? as ?? FORCE INDEX (??)', ['faturas', 'f', indice]))
    .where('f.provedor_id', tenant.provedorId)
    .whereNotIn('f.situacao', ['cancelada', 'estornada'])
    .whereNotExists(naoVale(tenant, 'nfcom as n', 'n.fatura_id'))
    .whereNotExists(naoVale(tenant, 'importacao_linhas as il', 'il.fatura_id').where('il.situacao', 'gravada'))
    .whereNotExists(naoVale(tenant, 'renegociacoes_faturas as rf', 'rf.fatura_id').where('rf.papel', 'parcela'));
  if (faturaIds !== undefined) query.whereIn('f.id', [...faturaIds]);
  if (emitidasDe !== undefined) query.where('f.emitida_em', '>=', toDatabaseTime(inicioDoDiaEm(fuso, emitidasDe)));
  if (emitidasAte !== undefined) query.where('f.emitida_em', '<=', toDatabaseTime(fimDoDiaEm(fuso, emitidasAte)));
  if (vencimentoDe !== undefined) query.where('f.vencimento', '>=', vencimentoDe);
  if (vencimentoAte !== undefined) query.where('f.vencimento', '<=', vencimentoAte);
  if (clienteId !== undefined) query.where('f.cliente_id', clienteId);
  if (abertas === true) query.where('f.grupo', 'aberta');
  if (planoId !== undefined) {
    query.join('contratos as k', sameTenant('f', 'contrato_id', 'k', 'id')).where('k.plano_id', planoId);
  }
  if (uf !== undefined) query.join('clientes as c', sameTenant('f', 'cliente_id', 'c', 'id')).where('c.uf', uf);
  return query;
}

const naoVale = (tenant: TenantDb, tabela: string, coluna: string): Knex.QueryBuilder => {
  const alias = tabela.split(' as ')[1] ?? tabela;
  return tenant
    .db(tabela)
    .select(tenant.db.raw('1'))
    .whereRaw('?? = f.provedor_id', [`${alias}.provedor_id`])
    .whereRaw('?? = f.id', [coluna]);
};

export function createEmissaoNfcomQueries(tenant: TenantDb, fuso: string) {
  return {
    /** In the order of their ids, after one of them. */
    async candidatas(filtro: FiltroDeEmissao, depoisDe: number, limite: number): Promise<CandidataRow[]> {
      const query = candidatas(tenant, fuso, filtro).where('f.id', '>', depoisDe).orderBy('f.id').limit(limite);
      return rowsOf(query, CANDIDATA);
    },

    async quantas(filtro: FiltroDeEmissao): Promise<number> {
      const [row] = await rowsOf(candidatas(tenant, fuso, filtro), TOTAL);
      return row?.total ?? 0;
    },

    /** A note, locked when the tenant is that of a write. */
    async travar(id: number): Promise<NotaRow | undefined> {
      const [row] = await rowsOf(tenant.from('nfcom').where('id', id).forUpdate(), DA_NOTA);
      return row;
    },

    async daFatura(faturaId: number): Promise<NotaRow[]> {
      return rowsOf(
        tenant.from('nfcom', 'nfcom_fatura').where('fatura_id', faturaId).orderBy('id').forUpdate(),
        DA_NOTA,
      );
    },
  };
}
