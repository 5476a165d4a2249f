import { lerDinheiro } from '../../brazil/dinheiro.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import { createPlanosQueries } from './planos.queries.ts';
import type { Plano } from './planos.types.ts';

export type PlanosService = ReturnType<typeof createPlanosService>;

export function createPlanosService({ tenant }: { tenant: TenantDb }) {
  const queries = createPlanosQueries(tenant);
  return {
    /** Plans on sale, by name. */
    async listarAtivos(): Promise<Plano[]> {
      const rows = await queries.listarAtivos();
      return rows.map((row) => ({
        id: row.id,
        nome: row.nome,
        downloadMbps: row.download_mbps,
        uploadMbps: row.upload_mbps,
        valor: lerDinheiro(row.valor),
        tecnologia: row.tecnologia,
        descricao: row.descricao,
      }));
    },
  };
}
