import type { Knex } from 'knex';
import { ID, expressions } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { TIPO_DE_EMISSAO } from '../nfcom.types.ts';
import { filtrarNotas } from './lista.queries.ts';
import type { FiltroDeNotas } from './lista.types.ts';

export const IDS_POR_SAIR = ID;

/** `soma`: of their ids, by which it is seen whether they are others by now though they are as many. */
export const QUANTAS_POR_SAIR = expressions<{ notas: number; ultima: number | null; soma: number }>({
  notas: 'COUNT(*)',
  ultima: 'MAX(nfcom.id)',
  soma: 'COALESCE(SUM(nfcom.id), 0) + 0E0',
});

/** What was counted, as it comes back from who confirms it. */
export interface ContagemDePorSair {
  readonly notas: number;
  /** The highest of their ids; 0 where there is none. */
  readonly ultima: number;
  /** Sum of their ids. */
  readonly soma: number;
  /** When. */
  readonly em: Date;
}

/**
 * Notes that are not built yet, or are built and certainly not with the authority: what is taken to be sent is asked about (`consultar`) before
 * it goes. What was issued offline somebody may have already, so it is not among them.
 */
export const porSair = (tenant: TenantDb, fuso: string, filtro: FiltroDeNotas): Knex.QueryBuilder =>
  tenant
    .from('nfcom', 'nfcom_fila')
    .whereIn('nfcom.etapa', ['montar', 'enviar'])
    .whereIn('nfcom.situacao', ['pendente', 'processando'])
    .where('nfcom.tipo_emissao', TIPO_DE_EMISSAO.normal)
    .modify(filtrarNotas, fuso, filtro);

/**
 * Of these, those that a count may have found: neither asked for since, nor with the authority then, which has answered since that it does not
 * have them.
 */
export function asContadas(
  tenant: TenantDb,
  fuso: string,
  filtro: FiltroDeNotas,
  { ultima, em }: Pick<ContagemDePorSair, 'ultima' | 'em'>,
): Knex.QueryBuilder {
  const respondida = tenant
    .from('nfcom_tentativas as t', 'nfcom_tentativas_nota')
    .select(tenant.db.raw('1'))
    .whereRaw('t.nfcom_id = nfcom.id')
    .where('t.em', '>', toDatabaseTime(em));
  return porSair(tenant, fuso, filtro)
    .where('nfcom.id', '<=', ultima)
    .where((q) => void q.where('nfcom.tentativas', 0).orWhere((da) => void da.whereNotExists(respondida)));
}
