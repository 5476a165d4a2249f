import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { PlanoRow } from './planos.types.ts';

const COLUNAS = ['id', 'nome', 'download_mbps', 'upload_mbps', 'valor', 'tecnologia', 'descricao'];

export function createPlanosQueries(tenant: TenantDb) {
  return {
    /** A plan, on sale or not. */
    async buscarPorId(id: number): Promise<PlanoRow | undefined> {
      const [row] = await tenant.from('planos').where('planos.id', id).select<PlanoRow[]>(COLUNAS);
      return row;
    },

    /** Plans on sale, by name. */
    async listarAtivos(): Promise<PlanoRow[]> {
      return (await tenant
        .from('planos')
        .where('planos.ativo', 1)
        .select(COLUNAS)
        .orderBy(['nome', 'id'])) as PlanoRow[];
    },
  };
}
