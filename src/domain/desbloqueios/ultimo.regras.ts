import type { Knex } from 'knex';
import { columns } from '../../platform/mysql/columns.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { SituacaoContrato } from '../contratos/contratos.types.ts';

export interface DoContratoRow {
  contrato_id: number;
  situacao: SituacaoContrato;
  bloqueio_origem: 'financeiro' | 'manual' | null;
  /** Of the latest unblock, as all that follows; null where there was none. */
  ate: string | null;
  encerrado_em: string | null;
  causa_id: number | null;
  situacao_da_causa: string | null;
}

export const DO_CONTRATO = columns<DoContratoRow>('contratos', {
  contrato_id: 'contratos.id',
  situacao: true,
  bloqueio_origem: true,
  ate: 'd.ate',
  encerrado_em: 'd.encerrado_em',
  causa_id: 'd.fatura_causa_id',
  situacao_da_causa: 'faturas.situacao',
});

/** Joins to `contratos` what `DO_CONTRATO` is of. */
export function juntarUltimo(tenant: TenantDb, contratos: Knex.QueryBuilder): Knex.QueryBuilder {
  const ultimo = tenant.from('desbloqueios_confianca as u').whereRaw('u.contrato_id = contratos.id').max('u.id');
  return contratos
    .leftJoin('desbloqueios_confianca as d', function on() {
      sameTenant('contratos', 'id', 'd', 'contrato_id').call(this);
      this.on('d.id', '=', tenant.db.raw('(?)', [ultimo]));
    })
    .leftJoin('faturas', sameTenant('d', 'fatura_causa_id', 'faturas', 'id'));
}
