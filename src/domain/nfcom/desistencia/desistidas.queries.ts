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
const QUANTAS = expressions<{ quantas: number; ultima: number | null }>({
  quantas: 'COUNT(*)',
  ultima: 'MAX(nfcom.id)',
});

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
    /** How many there are, and the last of them. @param ate none of a higher id; null: all */
    async quantas(
      filtro: FiltroDeRejeitadas,
      ambiente: AmbienteNfcom,
      ate: number | null = null,
    ): Promise<{ readonly quantas: number; readonly ultima: number }> {
      const todas = desistidas(tenant, fuso, filtro, ambiente, 'nfcom_situacao_referida');
      const [row] = await rowsOf(ate === null ? todas : todas.where('nfcom.id', '<=', ate), QUANTAS);
      return { quantas: row?.quantas ?? 0, ultima: row?.ultima ?? 0 };
    },

    /** In the order of the notes, after one of them and up to another. */
    async parte(
      filtro: FiltroDeRejeitadas,
      ambiente: AmbienteNfcom,
      { depoisDe, ultima }: { readonly depoisDe: number; readonly ultima: number },
      limite: number,
    ): Promise<DesistidaRow[]> {
      const delas = desistidas(tenant, fuso, filtro, ambiente, 'nfcom_situacao');
      const daParte = delas.where('nfcom.id', '>', depoisDe).where('nfcom.id', '<=', ultima);
      return rowsOf(daParte.orderBy('nfcom.id').limit(limite), DESISTIDA);
    },

    /** All notes of some invoices, whatever became of them. */
    async dasFaturas(faturaIds: readonly number[]): Promise<NotaRow[]> {
      const delas = tenant.from('nfcom', 'nfcom_fatura').whereIn('fatura_id', [...faturaIds]);
      return rowsOf(delas.orderBy('nfcom.id'), DA_NOTA);
    },
  };
}
