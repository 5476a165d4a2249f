import { lerDinheiro } from '../../brazil/dinheiro.ts';
import type { Trail } from '../../platform/response-cache/trail.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import { PROVEDOR_TAG } from '../tags.ts';
import { createPlanosQueries } from './planos.queries.ts';
import type { Plano } from './planos.types.ts';

export type PlanosService = ReturnType<typeof createPlanosService>;

export function createPlanosService({ tenant, trail }: { tenant: TenantDb; trail: Trail }) {
  const queries = createPlanosQueries(tenant);
  return {
    /** Plans on sale, by name. */
    async listarAtivos(): Promise<Plano[]> {
      trail.dependsOn(PROVEDOR_TAG);
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
