import type { Data } from '../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';

export type TrafegoService = ReturnType<typeof createTrafegoService>;

/** Bytes, as subscribers see them: received and sent. */
export interface Bytes {
  readonly download: number;
  readonly upload: number;
}

interface DoDia extends Bytes {
  /** `YYYY-MM-DD`, local to the provider. */
  readonly dia: string;
}

interface DaHora extends Bytes {
  /** Its beginning, as the database writes it, in UTC. */
  readonly hora: string;
}

interface DoServidor extends DaHora {
  readonly nas: string;
}

type SomaDoServidor = Omit<DoServidor, 'hora'>;

const DO_DIA = columns<DoDia>('trafego_diario', {
  dia: true,
  download: 'trafego_diario.download_bytes',
  upload: 'trafego_diario.upload_bytes',
});
const DA_HORA = columns<DaHora>('trafego_horario', {
  hora: true,
  download: 'CAST(SUM(trafego_horario.download_bytes) AS UNSIGNED)',
  upload: 'CAST(SUM(trafego_horario.upload_bytes) AS UNSIGNED)',
});
const DO_SERVIDOR = columns<DoServidor>('trafego_horario', {
  nas: true,
  hora: true,
  download: 'trafego_horario.download_bytes',
  upload: 'trafego_horario.upload_bytes',
});

const SOMA_DO_SERVIDOR = columns<SomaDoServidor>('trafego_horario', {
  nas: true,
  download: 'CAST(SUM(trafego_horario.download_bytes) AS UNSIGNED)',
  upload: 'CAST(SUM(trafego_horario.upload_bytes) AS UNSIGNED)',
});

/** How much went through a provider's lines and servers. A byte is of the hour and the day in which the network told of it. */
export function createTrafegoService(tenant: TenantDb) {
  return {
    /** Of a contract, the days on which there was some, in order. */
    doContrato: async (contratoId: number, de: Data, ate: Data): Promise<DoDia[]> =>
      rowsOf(
        tenant.from('trafego_diario').where('contrato_id', contratoId).whereBetween('dia', [de, ate]).orderBy('dia'),
        DO_DIA,
      ),

    /** Of a server or of all, the hours from one on, before another, in which there was some, in order. */
    porHora: async (desde: string, nas?: string, antesDe?: string): Promise<DaHora[]> => {
      const query =
        nas === undefined
          ? tenant.from('trafego_horario')
          : tenant.from('trafego_horario', 'trafego_horario_nas').where('nas', nas);
      if (antesDe !== undefined) void query.where('hora', '<', antesDe);
      return rowsOf(query.where('hora', '>=', desde).groupBy('hora').orderBy('hora'), DA_HORA);
    },

    /** What went through each server from an hour on, of those through which anything did. */
    somaPorServidor: async (desde: string): Promise<SomaDoServidor[]> =>
      rowsOf(tenant.from('trafego_horario').where('hora', '>=', desde).groupBy('nas'), SOMA_DO_SERVIDOR),

    /** The hours of each server. */
    porServidor: async (desde: string): Promise<DoServidor[]> =>
      rowsOf(tenant.from('trafego_horario').where('hora', '>=', desde), DO_SERVIDOR),
  };
}
