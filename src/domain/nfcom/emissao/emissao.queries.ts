import type { BoletoSituacao } from '../../boletos/boletos.types.ts';
import type { Knex } from 'knex';
import { fimDoDiaEm, inicioDoDiaEm } from '../../../brazil/calendario/datas.ts';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { SEM_REGISTRO } from '../nfcom.regras.ts';
import type { AmbienteNfcom, SituacaoNfcom } from '../nfcom.types.ts';
import type { FiltroDeEmissao, ItemAjustado } from './emissao.types.ts';
import { SITUACOES_DE_CANCELADO } from '../../contratos/contratos.types.ts';

/** An invoice that a note may be asked for. */
export interface CandidataRow {
  id: number;
  cliente_id: number;
  contrato_id: number | null;
  valor: string;
}

const CANDIDATA = columns<CandidataRow>('f', { id: true, cliente_id: true, contrato_id: true, valor: true });

interface FaixaRow {
  primeira: number | null;
  ultima: number | null;
}

const SEM_VOLTA = columns<CandidataRow>('nfcom', { id: true, cliente_id: true, contrato_id: true, valor: true });
export const DESFEITAS = ['cancelada', 'estornada'] as const;
const TODAS: FaixaRow = { primeira: 1, ultima: Number.MAX_SAFE_INTEGER };
const FAIXA = expressions<FaixaRow>({ primeira: 'MIN(f.id)', ultima: 'MAX(f.id)' });
const TOTAL = expressions<{ total: number; valor: string | null }>({ total: 'COUNT(*)', valor: 'SUM(f.valor)' });

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
function candidatas(
  tenant: TenantDb,
  fuso: string,
  filtro: FiltroDeEmissao,
  indice = indiceDe(filtro),
): Knex.QueryBuilder {
  const { planoId, clienteId, uf, abertas, faturaIds, esperando } = filtro;
  const query = tenant
    .from('faturas as f', indice)
    .whereNotIn('f.situacao', [...DESFEITAS])
    .modify(esperando === true ? esperam : naoEsperam)
    .whereNotExists(naoVale(tenant, 'nfcom as n', 'n.fatura_id'))
    .whereNotExists(naoVale(tenant, 'importacao_linhas as il', 'il.fatura_id').where('il.situacao', 'gravada'))
    .whereNotExists(naoVale(tenant, 'renegociacoes_faturas as rf', 'rf.fatura_id').where('rf.papel', 'parcela'));
  if (faturaIds !== undefined) query.whereIn('f.id', [...faturaIds]);
  query.modify(nosDias, fuso, filtro);
  if (clienteId !== undefined) query.where('f.cliente_id', clienteId);
  if (abertas === true) query.where('f.grupo', 'aberta');
  if (planoId !== undefined) query.where((q) => doPlano(q, tenant, planoId));
  if (uf !== undefined) query.join('clientes as c', sameTenant('f', 'cliente_id', 'c', 'id')).where('c.uf', uf);
  return query;
}

function indiceDe({ faturaIds, clienteId, vencimentoDe, vencimentoAte }: FiltroDeEmissao): string {
  if (faturaIds !== undefined) return 'PRIMARY';
  if (clienteId !== undefined) return 'faturas_cliente';
  return vencimentoDe !== undefined || vencimentoAte !== undefined ? 'faturas_vencimento' : 'faturas_emissao';
}

function nosDias(query: Knex.QueryBuilder, fuso: string, filtro: FiltroDeEmissao): void {
  const { emitidasDe, emitidasAte, vencimentoDe, vencimentoAte, mesAte, carnesDesde } = filtro;
  if (emitidasDe !== undefined) query.where('f.emitida_em', '>=', toDatabaseTime(inicioDoDiaEm(fuso, emitidasDe)));
  if (emitidasAte !== undefined) query.where('f.emitida_em', '<=', toDatabaseTime(fimDoDiaEm(fuso, emitidasAte)));
  if (vencimentoDe !== undefined) query.where('f.vencimento', '>=', vencimentoDe);
  if (vencimentoAte !== undefined) query.where('f.vencimento', '<=', vencimentoAte);
  if (mesAte !== undefined) {
    query.where((q) => {
      void q.whereNull('f.competencia').orWhereNot('f.tipo', 'carne').orWhere('f.competencia', '<=', mesAte);
    });
  }
  if (carnesDesde !== undefined) query.where('f.tipo', 'carne').where('f.competencia', '>=', carnesDesde);
}

/** Their note is issued once the bank has the boleto: it carries its line. */
function esperam(query: Knex.QueryBuilder): void {
  query.whereIn('f.boleto_situacao', [...SEM_REGISTRO]).where('f.grupo', 'aberta');
}

export function naoEsperam(query: Knex.QueryBuilder): void {
  query.where((outras) => {
    void outras
      .whereNull('f.boleto_situacao')
      .orWhereNotIn('f.boleto_situacao', [...SEM_REGISTRO])
      .orWhereNot('f.grupo', 'aberta');
  });
}

/**
 * Invoices that bill a contract of a plan. Of those that name none, those whose charges do, be it beside others, and those whose note is of the
 * client's contract.
 */
function doPlano(query: Knex.QueryBuilder, tenant: TenantDb, planoId: number): void {
  const ligados = (tabela: string, coluna: string, daFatura: string) =>
    tenant.from(tabela).select(tenant.db.raw('1')).whereRaw('?? = ??', [coluna, daFatura]);
  const cobranca = () => ligados('faturamento_cobrancas as g', 'g.fatura_id', 'f.id');
  const doCliente = (nome: string) => ligados(`contratos as ${nome}`, `${nome}.cliente_id`, 'f.cliente_id');
  void query
    .whereExists(ligados('contratos as k', 'k.id', 'f.contrato_id').where('k.plano_id', planoId))
    .orWhere((semContrato) => {
      void semContrato.whereNull('f.contrato_id').whereExists(
        cobranca()
          .join('contratos as k', sameTenant('g', 'contrato_id', 'k', 'id'))
          .where('k.plano_id', planoId),
      );
    })
    .orWhere((semCobranca) => {
      void semCobranca
        .whereNull('f.contrato_id')
        .whereNotExists(cobranca())
        .whereExists(
          doCliente('k')
            .where('k.plano_id', planoId)
            .where((q) => {
              void q
                .whereNotIn('k.situacao', SITUACOES_DE_CANCELADO)
                .orWhereNotExists(doCliente('v').whereNotIn('v.situacao', SITUACOES_DE_CANCELADO));
            }),
        );
    });
}

/** Rows of a table that are of the invoice. */
const naoVale = (tenant: TenantDb, tabela: string, coluna: string): Knex.QueryBuilder =>
  tenant.from(tabela).select(tenant.db.raw('1')).whereRaw('?? = f.id', [coluna]);

/** What was asked for of an ajuste; amounts in centavos. */
export interface PedidoDeAjuste {
  readonly itens?: readonly ItemAjustado[];
}

export interface AjusteRow {
  situacao: SituacaoNfcom;
  motivo_codigo: string | null;
  pedido: string | PedidoDeAjuste | null;
}

const DO_AJUSTE = columns<AjusteRow>('nfcom', { situacao: true, motivo_codigo: true, pedido: true });

/** The document that the authority has. */
export const DO_DOCUMENTO = columns<{ xml_autorizado: Buffer | null }>('nfcom', { xml_autorizado: true });

/** What of an invoice decides whether it may have a note now. */
export const DA_FATURA = columns<
  CandidataRow & { situacao: string; grupo: string; boleto_situacao: BoletoSituacao | null }
>('faturas', {
  id: true,
  cliente_id: true,
  contrato_id: true,
  valor: true,
  situacao: true,
  grupo: true,
  boleto_situacao: true,
});

export type EmissaoNfcomQueries = ReturnType<typeof createEmissaoNfcomQueries>;

export function createEmissaoNfcomQueries(tenant: TenantDb, fuso: string) {
  /** The first and the last id of the invoices of some days: of these columns the index alone is read. */
  async function faixaDe(filtro: FiltroDeEmissao): Promise<FaixaRow> {
    const { emitidasDe, emitidasAte, vencimentoDe, vencimentoAte } = filtro;
    if ((emitidasDe ?? emitidasAte ?? vencimentoDe ?? vencimentoAte) === undefined) return TODAS;
    const dosDias = tenant.from('faturas as f', indiceDe(filtro)).modify(nosDias, fuso, filtro);
    const [row] = await rowsOf(dosDias, FAIXA);
    return row ?? { primeira: null, ultima: null };
  }

  return {
    /**
     * In the order of their ids, after one of them. Those of some days are read by the key, from where they begin: part by part each is then
     * read once, and not in every part anew to be sorted.
     */
    async candidatas(filtro: FiltroDeEmissao, depoisDe: number, limite: number): Promise<CandidataRow[]> {
      const dosDias = filtro.faturaIds === undefined && filtro.clienteId === undefined;
      if (!dosDias) {
        const delas = candidatas(tenant, fuso, filtro).where('f.id', '>', depoisDe);
        return rowsOf(delas.orderBy('f.id').limit(limite), CANDIDATA);
      }
      const { primeira, ultima } = await faixaDe(filtro);
      if (primeira === null || ultima === null) return [];
      const delas = candidatas(tenant, fuso, filtro, 'PRIMARY')
        .where('f.id', '>', Math.max(depoisDe, primeira - 1))
        .where('f.id', '<=', ultima);
      return rowsOf(delas.orderBy('f.id').limit(limite), CANDIDATA);
    },

    async quantas(filtro: FiltroDeEmissao): Promise<number> {
      return (await this.somadas(filtro)).faturas;
    },

    /** How many there are, and what they amount to. */
    async somadas(filtro: FiltroDeEmissao): Promise<{ readonly faturas: number; readonly valor: string }> {
      const [row] = await rowsOf(candidatas(tenant, fuso, filtro), TOTAL);
      return { faturas: row?.total ?? 0, valor: row?.valor ?? '0.00' };
    },

    /**
     * Rejected notes of an environment that keep a number and never will be: their invoices were cancelled or returned, or their clients erased. An adjustment
     * holds though its invoice was cancelled.
     */
    async semVolta(ambiente: AmbienteNfcom, depoisDe: number, limite: number): Promise<CandidataRow[]> {
      const delas = tenant
        .from('nfcom', 'nfcom_situacao')
        .join('faturas as f', sameTenant('nfcom', 'fatura_id', 'f', 'id'))
        .join('clientes as c', sameTenant('nfcom', 'cliente_id', 'c', 'id'))
        .where({ 'nfcom.situacao': 'rejeitada', 'nfcom.ambiente': ambiente })
        .where('nfcom.id', '>', depoisDe)
        .whereNotNull('nfcom.chave')
        .whereNotNull('nfcom.xml_assinado')
        .where((q) => {
          void q
            .whereNotNull('c.apagado_em')
            .orWhere((da) => void da.whereIn('f.situacao', [...DESFEITAS]).whereNot('nfcom.finalidade', 'ajuste'));
        });
      return rowsOf(delas.orderBy('nfcom.id').limit(limite), SEM_VOLTA);
    },

    /** A note, locked when the tenant is that of a write. */
    async travar(id: number): Promise<NotaRow | undefined> {
      const [row] = await rowsOf(tenant.from('nfcom').where('id', id).forUpdate(), DA_NOTA);
      return row;
    },

    /** The adjustments of a note, which is locked: of two at a time the second one finds the first. */
    async ajustesDe({ id, fatura_id }: Pick<NotaRow, 'id' | 'fatura_id'>): Promise<AjusteRow[]> {
      const deles = tenant.from('nfcom', 'nfcom_fatura').where({ fatura_id, substitui_id: id, finalidade: 'ajuste' });
      return rowsOf(deles.orderBy('nfcom.id'), DO_AJUSTE);
    },

    async daFatura(faturaId: number): Promise<NotaRow[]> {
      return rowsOf(
        tenant.from('nfcom', 'nfcom_fatura').where('fatura_id', faturaId).orderBy('id').forUpdate(),
        DA_NOTA,
      );
    },
  };
}
