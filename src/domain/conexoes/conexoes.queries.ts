import { rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { COLUNAS_DO_RADACCT } from './conexoes.types.ts';
import type { RadacctRow } from './conexoes.types.ts';
import { createDetalheQueries } from './detalhe/detalhe.queries.ts';
import { sessoesDoLogin } from './radacct.regras.ts';

export function createConexoesQueries(tenant: TenantDb) {
  return {
    ...createDetalheQueries(tenant),

    async sessoes(login: string, desde: Date, limite: number): Promise<RadacctRow[]> {
      return rowsOf(sessoesDoLogin(tenant, login, desde, limite), COLUNAS_DO_RADACCT);
    },
  };
}
