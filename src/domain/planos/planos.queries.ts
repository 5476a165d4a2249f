import { rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { COLUNAS_DO_PLANO } from './planos.types.ts';
import type { PlanoRow } from './planos.types.ts';

export function createPlanosQueries(tenant: TenantDb) {
  return {
    /** A plan, on sale or not. */
    async buscarPorId(id: number): Promise<PlanoRow | undefined> {
      const [row] = await rowsOf(tenant.from('planos').where('planos.id', id), COLUNAS_DO_PLANO);
      return row;
    },

    /** Plans on sale, by name. */
    async listarAtivos(): Promise<PlanoRow[]> {
      return rowsOf(tenant.from('planos').where('planos.ativo', 1).orderBy(['nome', 'id']), COLUNAS_DO_PLANO);
    },
  };
}
