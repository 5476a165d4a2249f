import { lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { TotalDaLista } from '../listas/listas.types.ts';
import { PROVEDOR_TAG } from '../tags.ts';
import { createPlanosQueries } from './planos.queries.ts';
import type { Plano, PlanoComContratos, PlanoRow } from './planos.types.ts';

export type PlanosService = ReturnType<typeof createPlanosService>;

export function createPlanosService({ tenant, trail }: { tenant: TenantDb; trail: Trail }) {
  const queries = createPlanosQueries(tenant);
  return {
    /** Plans on sale, by name. */
    async listarAtivos(): Promise<Plano[]> {
      trail.dependsOn(PROVEDOR_TAG);
      const rows = await queries.listarAtivos();
      return rows.map(paraPlano);
    },

    /** All plans, on sale or not, with how many contracts each has that were not cancelled; for staff, and kept in no cache. */
    listarTodos: async (): Promise<PlanoComContratos[]> => queries.listarTodos(),

    /** A plan as staff see it, and how many contracts would follow a new value of it; null when this tenant has none of that id. */
    async buscarDaEquipe(id: number): Promise<(PlanoComContratos & { readonly acompanhariam: TotalDaLista }) | null> {
      const [plano] = await queries.listarTodos(id);
      return plano === undefined ? null : { ...plano, acompanhariam: await queries.comValorDoPlano(plano) };
    },

    /** The plan, on sale or not, or null when this tenant has none of that id. */
    async buscarPorId(id: number): Promise<Plano | null> {
      trail.dependsOn(PROVEDOR_TAG);
      const row = await queries.buscarPorId(id);
      return row === undefined ? null : paraPlano(row);
    },
  };
}

function paraPlano(row: PlanoRow): Plano {
  return {
    id: row.id,
    nome: row.nome,
    downloadMbps: row.download_mbps,
    uploadMbps: row.upload_mbps,
    valor: lerDinheiro(row.valor),
    tecnologia: row.tecnologia,
    descricao: row.descricao,
  };
}
