import type { Knex } from 'knex';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { AmbienteNfcom } from '../nfcom.types.ts';
import { filtrarNotas } from './lista.queries.ts';
import type { FiltroDeNotas } from './lista.types.ts';

/** Which authorised notes; whatever else a list's filter says of their state. */
export type FiltroDeCancelaveis = Omit<FiltroDeNotas, 'situacao'>;

/** Of which environment, and authorised since when: before that the deadline of cancelling is over. */
export interface Cancelaveis {
  readonly ambiente: AmbienteNfcom;
  readonly desde: Date;
}

/** After a note that was authorised then. */
export type LugarDeCancelavel = readonly [em: string, id: number];

/** How many of one part were asked for, and where the next one begins; null where there is none. */
export interface ParteCancelada {
  readonly notas: number;
  readonly proxima: LugarDeCancelavel | null;
}

interface CancelavelRow {
  id: number;
  autorizada_em: string | null;
}

const CANCELAVEL = columns<CancelavelRow>('nfcom', { id: true, autorizada_em: true });
const CORRIGIDA = columns<{ substitui_id: number }>('c', { substitui_id: true });
const QUANTAS = expressions<{ notas: number; ultima: number | null }>({
  notas: 'COUNT(*)',
  ultima: 'MAX(nfcom.id)',
});

const corrigem = (tenant: TenantDb): Knex.QueryBuilder =>
  tenant
    .from('nfcom as c', 'nfcom_fatura')
    .where((viva) => void viva.where('c.situacao', 'autorizada').orWhereNotNull('c.etapa'));

/**
 * Authorised notes that may be cancelled: nothing is under way of them, none took another's place, and none has a substitute or an adjustment,
 * authorised or under way.
 */
function cancelaveis(
  tenant: TenantDb,
  fuso: string,
  filtro: FiltroDeCancelaveis,
  { ambiente, desde }: Cancelaveis,
): Knex.QueryBuilder {
  const dela = corrigem(tenant).select(tenant.db.raw('1')).whereRaw('c.fatura_id = nfcom.fatura_id');
  return tenant
    .from('nfcom', filtro.clienteId === undefined ? 'nfcom_autorizacao' : 'nfcom_cliente')
    .modify((query) => filtrarNotas(query, fuso, { ...filtro, situacao: 'autorizada' }))
    .where('nfcom.ambiente', ambiente)
    .where('nfcom.autorizada_em', '>=', toDatabaseTime(desde))
    .whereNull('nfcom.etapa')
    .whereNot('nfcom.finalidade', 'substituicao')
    .whereNotExists(dela.whereRaw('c.substitui_id = nfcom.id'));
}

export function createCancelaveisQueries(tenant: TenantDb, fuso: string) {
  return {
    /** How many there are, and the last of them by its id; 0 where there is none. @param ate none of a higher id; null: all */
    async quantas(
      filtro: FiltroDeCancelaveis,
      quais: Cancelaveis,
      ate: number | null,
    ): Promise<{ readonly notas: number; readonly ultima: number }> {
      const delas = cancelaveis(tenant, fuso, filtro, quais);
      if (ate !== null) delas.where('nfcom.id', '<=', ate);
      const [row] = await rowsOf(delas, QUANTAS);
      return { notas: row?.notas ?? 0, ultima: row?.ultima ?? 0 };
    },

    /** The next of them in the order of their authorisation. @param ultima none of a higher id */
    async parte(
      filtro: FiltroDeCancelaveis,
      quais: Cancelaveis,
      ultima: number,
      depoisDe: LugarDeCancelavel | null,
      limite: number,
    ): Promise<CancelavelRow[]> {
      const delas = cancelaveis(tenant, fuso, filtro, quais).where('nfcom.id', '<=', ultima);
      if (depoisDe !== null) {
        const [em, id] = depoisDe;
        delas.where('nfcom.autorizada_em', '>=', em);
        delas.where((q) => void q.where('nfcom.autorizada_em', '>', em).orWhere('nfcom.id', '>', id));
      }
      return rowsOf(delas.orderBy(['nfcom.autorizada_em', 'nfcom.id']).limit(limite), CANCELAVEL);
    },

    /** Of some notes, those that are corrected by another one since they were found. */
    async corrigidas(ids: readonly number[], faturaIds: readonly number[]): Promise<ReadonlySet<number>> {
      const delas = corrigem(tenant)
        .whereIn('c.fatura_id', [...faturaIds])
        .whereIn('c.substitui_id', [...ids]);
      const rows = await rowsOf(delas.forShare(), CORRIGIDA);
      return new Set(rows.map(({ substitui_id }) => substitui_id));
    },
  };
}
