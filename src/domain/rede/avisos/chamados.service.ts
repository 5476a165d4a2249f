import type { Knex } from 'knex';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { createCoberturaQueries } from './cobertura.queries.ts';

/**
 * Narrows a query of `chamados` to what a notice is about: opened since it began, by whoever has a line that it covers. Where a ticket names
 * no contract, any line of its client will do.
 */
export function chamadosDoAviso(tenant: TenantDb, query: Knex.QueryBuilder, avisoId: number): void {
  const { coberto } = createCoberturaQueries(tenant);
  const inicio = tenant.from('avisos_de_rede').where('id', avisoId).select('inicio');
  void query.where('chamados.aberto_em', '>=', inicio).where((q) => {
    void q.whereExists(coberto(avisoId).whereRaw('contratos.id = chamados.contrato_id'));
    void q.orWhere((semContrato) => {
      void semContrato
        .whereNull('chamados.contrato_id')
        .whereExists(coberto(avisoId).whereRaw('contratos.cliente_id = chamados.cliente_id'));
    });
  });
}
