import { groupBy } from '../../platform/group-by.ts';
import { rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { COLUNAS_DA_PROMESSA } from './promessas.types.ts';
import type { Promessa, PromessaRow } from './promessas.types.ts';

export type LeituraDePromessasService = ReturnType<typeof createLeituraDePromessasService>;

export function createLeituraDePromessasService(tenant: TenantDb) {
  return {
    /** Open promises of clients, by the contract: one statement. The caller has named the clients' tags. */
    async abertas(clienteIds: readonly number[]): Promise<ReadonlyMap<number, Promessa>> {
      if (clienteIds.length === 0) return new Map();
      const delas = tenant
        .from('promessas_pagamento')
        .whereIn('cliente_id', [...clienteIds])
        .where('em_aberto', 1);
      const rows = groupBy(await rowsOf(delas, COLUNAS_DA_PROMESSA), ({ contrato_id }) => contrato_id);
      return new Map([...rows].flatMap(([id, [row]]) => (row === undefined ? [] : [[id, paraPromessa(row)]])));
    },
  };
}

const paraPromessa = (row: PromessaRow): Promessa => ({
  id: row.id,
  contratoId: row.contrato_id,
  data: row.data,
  registradaEm: fromDatabaseTime(row.registrada_em),
});
