import type { TenantDb } from '../../platform/tenant.ts';
import type { PlanoRow } from './planos.types.ts';

export function createPlanosQueries(tenant: TenantDb) {
  return {
    /** Plans on sale, by name. */
    async listarAtivos(): Promise<PlanoRow[]> {
      return (await tenant
        .from('planos')
        .where('planos.ativo', 1)
        .select('id', 'nome', 'download_mbps', 'upload_mbps', 'valor', 'tecnologia', 'descricao')
        .orderBy(['nome', 'id'])) as PlanoRow[];
    },
  };
}
