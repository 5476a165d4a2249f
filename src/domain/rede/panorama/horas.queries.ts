import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';

export interface HoraRow {
  hora: string;
  quedas: number;
  online: number | null;
}

const numero = (soma: string): string => `CAST(${soma} AS UNSIGNED)`;

const DA_HORA = columns<HoraRow>('rede_horas', {
  hora: true,
  quedas: numero('SUM(rede_horas.quedas)'),
  online: numero('SUM(rede_horas.online)'),
});

const DO_SERVIDOR = columns<{ nas: string; quedas: number }>('rede_horas', {
  nas: true,
  quedas: numero('SUM(rede_horas.quedas)'),
});

/** What servers had by the hour, of one server or of all. */
export function createHorasQueries(tenant: TenantDb) {
  const de = (desde: string, nas: string | undefined) =>
    tenant
      .from('rede_horas')
      .where('hora', '>=', desde)
      .modify((q) => void (nas !== undefined && q.where('nas', nas)));
  return {
    porHora: async (desde: string, nas?: string): Promise<HoraRow[]> =>
      rowsOf(de(desde, nas).groupBy('hora').orderBy('hora'), DA_HORA),

    porServidor: async (desde: string, nas?: string) =>
      rowsOf(de(desde, nas).groupBy('nas').orderBy('quedas', 'desc').orderBy('nas'), DO_SERVIDOR),
  };
}
