import { computed, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { COLUNAS_DO_PLANO, COLUNAS_DO_PLANO_DA_EQUIPE } from './planos.types.ts';
import type { PlanoComContratos, PlanoRow } from './planos.types.ts';

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

    /** All plans, on sale or not, by name, with how many contracts each has. */
    async listarTodos(): Promise<PlanoComContratos[]> {
      const deles = tenant
        .from('contratos as c')
        .whereRaw('c.plano_id = planos.id')
        .whereNotIn('c.situacao', ['cancelado', 'cancelado_definitivo']);
      const contagem = computed<{ contratos: number }>({ contratos: deles.count('*') });
      return rowsOf(tenant.from('planos').orderBy(['nome', 'id']), COLUNAS_DO_PLANO_DA_EQUIPE, contagem);
    },
  };
}
