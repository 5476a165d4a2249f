import type { Knex } from 'knex';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { DA_NOTA, DESFEITAS, naoEsperam } from '../emissao/emissao.queries.ts';
import type { CandidataRow, NotaRow } from '../emissao/emissao.queries.ts';
import type { AmbienteNfcom } from '../nfcom.types.ts';
import { filtrarNotas } from '../lista/lista.queries.ts';
import type { FiltroDeRejeitadas } from '../lista/rejeitadas.queries.ts';

/** A note that was given up, with its invoice. */
interface DesistidaRow extends CandidataRow {
  nota_id: number;
  /** Of an invoice of several contracts, the one that the note was of. */
  nota_contrato_id: number | null;
}

const DESISTIDA = columns<DesistidaRow>('f', {
  id: true,
  cliente_id: true,
  contrato_id: true,
  valor: true,
  nota_id: 'nfcom.id',
  nota_contrato_id: 'nfcom.contrato_id',
});
const DELA = columns<{ id: number }>('nfcom', { id: true });
const QUANTAS = expressions<{ notas: number; soma: string | null; ultima: number | null }>({
  notas: 'COUNT(*)',
  soma: 'SUM(nfcom.id)',
  ultima: 'MAX(nfcom.id)',
});

/** What was counted, as it comes back from who confirms it: what another moment counts is the same only where all of it is. */
export interface ContagemDeDesistidas {
  readonly ambiente: AmbienteNfcom;
  readonly notas: number;
  /** Sum of their ids, in decimal digits. */
  readonly soma: string;
  /** The highest of their ids; 0 where there is none. */
  readonly ultima: number;
}

/**
 * Notes of an environment that were given up together, of invoices that may have one now and have had no newer one since. One that somebody
 * gave up by itself is none of them.
 */
function desistidas(
  tenant: TenantDb,
  fuso: string,
  filtro: FiltroDeRejeitadas,
  ambiente: AmbienteNfcom,
  indice: string,
): Knex.QueryBuilder {
  const maisNova = tenant
    .from('nfcom as m', 'nfcom_fatura')
    .select(tenant.db.raw('1'))
    .whereRaw('m.fatura_id = nfcom.fatura_id AND m.id > nfcom.id')
    .where('m.finalidade', 'normal')
    .whereRaw('(m.contrato_id IS NULL OR nfcom.contrato_id IS NULL OR m.contrato_id = nfcom.contrato_id)');
  return tenant
    .from('nfcom', filtro.clienteId === undefined ? indice : 'nfcom_cliente')
    .join('faturas as f', sameTenant('nfcom', 'fatura_id', 'f', 'id'))
    .modify((query) => filtrarNotas(query, fuso, { ...filtro, situacao: 'rejeitada' }))
    .where({ 'nfcom.motivo_codigo': 'descartada', 'nfcom.finalidade': 'normal', 'nfcom.ambiente': ambiente })
    .whereRaw(`JSON_CONTAINS_PATH(nfcom.pedido, 'one', '$.junto')`)
    .whereNotIn('f.situacao', [...DESFEITAS])
    .modify(naoEsperam)
    .whereNotExists(maisNova);
}

export function createDesistidasQueries(tenant: TenantDb, fuso: string) {
  return {
    async contar(filtro: FiltroDeRejeitadas, ambiente: AmbienteNfcom): Promise<ContagemDeDesistidas> {
      const [row] = await rowsOf(desistidas(tenant, fuso, filtro, ambiente, 'nfcom_situacao_referida'), QUANTAS);
      return { ambiente, notas: row?.notas ?? 0, soma: row?.soma ?? '0', ultima: row?.ultima ?? 0 };
    },

    /** The ids of all there are now of what was counted, in their order, and none that was asked for after it. */
    async ids(filtro: FiltroDeRejeitadas, { ambiente, ultima }: ContagemDeDesistidas): Promise<readonly number[]> {
      const delas = desistidas(tenant, fuso, filtro, ambiente, 'nfcom_situacao').where('nfcom.id', '<=', ultima);
      return (await rowsOf(delas.orderBy('nfcom.id'), DELA)).map(({ id }) => id);
    },

    /** Of some notes, in their order, those that still are such. */
    async destas(ids: readonly number[], ambiente: AmbienteNfcom): Promise<DesistidaRow[]> {
      const delas = desistidas(tenant, fuso, {}, ambiente, 'nfcom_situacao').whereIn('nfcom.id', [...ids]);
      return rowsOf(delas.orderBy('nfcom.id'), DESISTIDA);
    },

    /** All notes of some invoices, whatever became of them. */
    async dasFaturas(faturaIds: readonly number[]): Promise<NotaRow[]> {
      const delas = tenant.from('nfcom', 'nfcom_fatura').whereIn('fatura_id', [...faturaIds]);
      return rowsOf(delas.orderBy('nfcom.id'), DA_NOTA);
    },
  };
}
