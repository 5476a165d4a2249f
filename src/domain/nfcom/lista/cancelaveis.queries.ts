import type { Knex } from 'knex';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { ContagemDeDesistidas } from '../desistencia/desistidas.queries.ts';
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

/** Of authorised notes. */
export interface Contagem extends ContagemDeDesistidas {
  /** When the last of them was authorised, to the millisecond, as the column has it; null where there is none. */
  readonly ultimaEm: Date | null;
}

const DELA = columns<{ id: number }>('nfcom', { id: true });
const CORRIGIDA = columns<{ substitui_id: number }>('c', { substitui_id: true });
const QUANTAS = expressions<{ notas: number; soma: string | null; ultima: number | null; ultima_em: string | null }>({
  notas: 'COUNT(*)',
  soma: 'SUM(nfcom.id)',
  ultima: 'MAX(nfcom.id)',
  ultima_em: 'MAX(nfcom.autorizada_em)',
});

const corrigem = (tenant: TenantDb): Knex.QueryBuilder =>
  tenant
    .from('nfcom as c', 'nfcom_fatura')
    .where((viva) => void viva.where('c.situacao', 'autorizada').orWhereNotNull('c.etapa'));

/**
 * Authorised notes that may be cancelled together: nothing is under way of them, and none has a substitute or an adjustment, authorised or under
 * way. What took another's place is not cancelled at all, and an adjustment alone by who looks at it: the note that it adjusts would stand whole.
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
    .where('nfcom.finalidade', 'normal')
    .whereNotExists(dela.whereRaw('c.substitui_id = nfcom.id'));
}

export function createCancelaveisQueries(tenant: TenantDb, fuso: string) {
  return {
    async contar(filtro: FiltroDeCancelaveis, quais: Cancelaveis): Promise<Contagem> {
      const [row] = await rowsOf(cancelaveis(tenant, fuso, filtro, quais), QUANTAS);
      const em = row?.ultima_em ?? null;
      return {
        ambiente: quais.ambiente,
        notas: row?.notas ?? 0,
        soma: row?.soma ?? '0',
        ultima: row?.ultima ?? 0,
        ultimaEm: em === null ? null : fromDatabaseTime(em),
      };
    },

    /**
     * The ids of all there are now of what was counted, in the order of their authorisation, and none that was asked for or authorised after it:
     * in one statement, so that they are of one moment. They are of the month, or two, whose deadline is not over.
     */
    async ids(
      filtro: FiltroDeCancelaveis,
      quais: Cancelaveis,
      { ultima, ultimaEm }: Contagem,
    ): Promise<readonly number[]> {
      if (ultimaEm === null) return [];
      const delas = cancelaveis(tenant, fuso, filtro, quais)
        .where('nfcom.id', '<=', ultima)
        .where('nfcom.autorizada_em', '<=', toDatabaseTime(ultimaEm));
      const rows = await rowsOf(delas.orderBy(['nfcom.autorizada_em', 'nfcom.id']), DELA);
      return rows.map(({ id }) => id);
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
