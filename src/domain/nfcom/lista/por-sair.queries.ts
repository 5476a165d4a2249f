import type { Knex } from 'knex';
import { ID, expressions } from '../../../platform/mysql/columns.ts';
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
