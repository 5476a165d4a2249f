import type { Knex } from 'knex';
import { expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { filtrarNotas } from './lista.queries.ts';
import type { FiltroDeNotas } from './lista.types.ts';
import type { AmbienteNfcom } from '../nfcom.types.ts';
import { DA_NOTA } from '../emissao/emissao.queries.ts';
import type { NotaRow } from '../emissao/emissao.queries.ts';
import { ABANDONADA } from '../emissao/prazos.regras.ts';

/** Which rejected notes; whatever else a list's filter says of their state. */
export type FiltroDeRejeitadas = Omit<FiltroDeNotas, 'situacao'>;

const POR_AMBIENTE = expressions<{ ambiente: AmbienteNfcom; quantas: number }>({
  ambiente: 'nfcom.ambiente',
  quantas: 'COUNT(*)',
});

/**
 * Rejected notes that may be issued anew together: neither given up, nor left by another system without a reason, which go one by one.
 *
 * @param indice those of some days are few beside all that were ever rejected, and a client's fewer
 */
function rejeitadas(tenant: TenantDb, fuso: string, filtro: FiltroDeRejeitadas, indice: string): Knex.QueryBuilder {
  return tenant
    .from('nfcom', filtro.clienteId === undefined ? indice : 'nfcom_cliente')
    .modify((query) => filtrarNotas(query, fuso, { ...filtro, situacao: 'rejeitada' }))
    .whereNotNull('nfcom.motivo_codigo')
    .whereNotIn('nfcom.motivo_codigo', [...ABANDONADA]);
}

export function createRejeitadasQueries(tenant: TenantDb, fuso: string) {
  return {
    /** How many there are of each environment. */
    async quantas(filtro: FiltroDeRejeitadas): Promise<{ ambiente: AmbienteNfcom; quantas: number }[]> {
      const delas = rejeitadas(tenant, fuso, filtro, 'nfcom_situacao_referida');
      return rowsOf(delas.groupBy('nfcom.ambiente'), POR_AMBIENTE);
    },

    /** Those of one environment in the order of their ids, after one of them, locked when the tenant is that of a write. */
    async parte(
      filtro: FiltroDeRejeitadas,
      ambiente: AmbienteNfcom,
      depoisDe: number,
      limite: number,
    ): Promise<NotaRow[]> {
      const delas = rejeitadas(tenant, fuso, filtro, 'nfcom_situacao').where('nfcom.ambiente', ambiente);
      return rowsOf(delas.where('nfcom.id', '>', depoisDe).orderBy('nfcom.id').limit(limite).forUpdate(), DA_NOTA);
    },
  };
}
