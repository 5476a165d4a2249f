import { rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import { PROVEDOR_TAG } from '../tags.ts';
import { COLUNAS_DE_COBRADOR } from './cobradores.types.ts';
import type { CobradorRow } from './cobradores.types.ts';

/** A charging account as registered. */
export interface Cobrador extends Omit<CobradorRow, 'padrao' | 'ativo' | 'criado_em' | 'atualizado_em'> {
  readonly padrao: boolean;
  readonly ativo: boolean;
  readonly criado_em: Date;
  readonly atualizado_em: Date;
}

export type CobradoresService = ReturnType<typeof createCobradoresService>;

export function createCobradoresService({ tenant, trail }: { readonly tenant: TenantDb; readonly trail: Trail }) {
  return {
    /** Every account of the provider, those that are used no more included, by id. */
    async listar(): Promise<Cobrador[]> {
      trail.dependsOn(PROVEDOR_TAG);
      const rows = await rowsOf(tenant.from('cobradores').orderBy('id'), COLUNAS_DE_COBRADOR);
      return rows.map((row) => ({
        ...row,
        padrao: row.padrao === 1,
        ativo: row.ativo === 1,
        criado_em: fromDatabaseTime(row.criado_em),
        atualizado_em: fromDatabaseTime(row.atualizado_em),
      }));
    },
  };
}
