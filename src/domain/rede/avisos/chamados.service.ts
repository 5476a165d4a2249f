import type { Knex } from 'knex';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { createCoberturaQueries } from './cobertura.queries.ts';

/** The end of a notice that has none yet. */
const SEM_FIM = '9999-12-31 23:59:59.999';

/**
 * Narrows a query of `chamados` to what a notice is about: opened while it was in force, by whoever has a line that it covers. What comes
 * after its end is another trouble, and an answer to the notice's tickets must not close it. Where a ticket names no contract, any line of
 * its client will do.
 */
export function chamadosDoAviso(tenant: TenantDb, query: Knex.QueryBuilder, avisoId: number): void {
  const { coberto } = createCoberturaQueries(tenant);
  const aviso = tenant.from('avisos_de_rede').where('id', avisoId);
  const inicio = aviso.clone().select('inicio');
  const fim = aviso.select(tenant.db.raw('COALESCE(fim, ?)', [SEM_FIM]));
  void query.where('chamados.aberto_em', '>=', inicio).where('chamados.aberto_em', '<=', fim);
  void query.where((q) => {
    void q.whereExists(coberto(avisoId).whereRaw('contratos.id = chamados.contrato_id'));
    void q.orWhere((semContrato) => {
      void semContrato
        .whereNull('chamados.contrato_id')
        .whereExists(coberto(avisoId).whereRaw('contratos.cliente_id = chamados.cliente_id'));
    });
  });
}
