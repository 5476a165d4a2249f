import type { Knex } from 'knex';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { AmbienteNfcom } from '../nfcom.types.ts';
import { DA_LISTA, comCliente } from './lista.queries.ts';
import type { LinhaDaListaRow } from './lista.queries.ts';

export interface NotaDoMesRow extends LinhaDaListaRow {
  contrato_id: number | null;
  cliente_documento: string | null;
  chave: string | null;
  protocolo: string | null;
  emitida_em: string | null;
  autorizada_em: string;
  cancelada_em: string | null;
  xml_autorizado: Buffer | null;
}

/** What a note's cancellation is made of. */
export interface EventoDoMesRow {
  nfcom_id: number;
  xml_assinado: Buffer | null;
  xml_resposta: Buffer | null;
}

const EVENTO_DO_MES = columns<EventoDoMesRow>('nfcom_eventos', {
  nfcom_id: true,
  xml_assinado: true,
  xml_resposta: true,
});

const DO_MES = columns<NotaDoMesRow>('nfcom', {
  ...DA_LISTA.of,
  contrato_id: true,
  cliente_documento: 'clientes.cpf_cnpj',
  chave: true,
  protocolo: true,
  emitida_em: true,
  autorizada_em: true,
  cancelada_em: true,
  xml_autorizado: true,
});

/** Where a part begins: after a note of this time and id. */
type Lugar = readonly [em: string, id: number];
type Quando = 'nfcom.autorizada_em' | 'nfcom.cancelada_em';

/** The next of some notes in the order of a time of theirs, of those that have it within a period. */
async function parte(
  notas: Knex.QueryBuilder,
  quando: Quando,
  [de, ate]: readonly [Date, Date],
  depoisDe: Lugar | null,
  limite: number,
): Promise<NotaDoMesRow[]> {
  const query = comCliente(notas)
    .where(quando, '>=', depoisDe?.[0] ?? toDatabaseTime(de))
    .where(quando, '<=', toDatabaseTime(ate));
  if (depoisDe !== null) {
    const [em, id] = depoisDe;
    query.where((q) => void q.where(quando, '>', em).orWhere('nfcom.id', '>', id));
  }
  return rowsOf(query.orderBy([quando, 'nfcom.id']).limit(limite), DO_MES);
}

export function createMesDeNotasQueries(tenant: TenantDb) {
  return {
    /** Notes of an environment authorised within a time, with their documents, in the order of their authorisation. */
    async autorizadas(
      ambiente: AmbienteNfcom,
      de: Date,
      ate: Date,
      depoisDe: Lugar | null,
      limite: number,
    ): Promise<NotaDoMesRow[]> {
      const notas = tenant
        .from('nfcom', 'nfcom_autorizacao')
        .where('nfcom.ambiente', ambiente)
        .whereIn('nfcom.situacao', ['autorizada', 'cancelada', 'substituida']);
      return parte(notas, 'nfcom.autorizada_em', [de, ate], depoisDe, limite);
    },

    /** Notes of an environment cancelled or replaced within a time, and authorised before it, in the order in which they were cancelled. */
    async canceladas(
      ambiente: AmbienteNfcom,
      de: Date,
      ate: Date,
      depoisDe: Lugar | null,
      limite: number,
    ): Promise<NotaDoMesRow[]> {
      const notas = tenant
        .from('nfcom', 'nfcom_cancelamento')
        .where('nfcom.autorizada_em', '<', toDatabaseTime(de))
        .where('nfcom.ambiente', ambiente)
        .whereIn('nfcom.situacao', ['cancelada', 'substituida']);
      return parte(notas, 'nfcom.cancelada_em', [de, ate], depoisDe, limite);
    },

    /** Of some notes, the event by which each was cancelled. */
    async cancelamentos(ids: readonly number[]): Promise<ReadonlyMap<number, EventoDoMesRow>> {
      if (ids.length === 0) return new Map();
      const deles = tenant.from('nfcom_eventos', 'nfcom_eventos_nota').whereIn('nfcom_id', [...ids]);
      const rows = await rowsOf(deles.where('estado', 'registrado').orderBy('nfcom_eventos.id'), EVENTO_DO_MES);
      return new Map(rows.map((row) => [row.nfcom_id, row]));
    },
  };
}
