import { columns, expressions, rowsOf, rowsOfSql } from '../../../platform/mysql/columns.ts';
import { READ_TIMEOUT_MS } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';

const POR_SITUACAO = columns<{ situacao: string; quantos: number }>('contratos', {
  situacao: true,
  quantos: 'COUNT(*)',
});

const DAS_QUEDAS = columns<{ nas: string; hoje: number; todas: number }>('rede_horas', {
  nas: true,
  hoje: 'CAST(SUM(IF(rede_horas.hora >= m.meia_noite, rede_horas.quedas, 0)) AS UNSIGNED)',
  todas: 'CAST(SUM(rede_horas.quedas) AS UNSIGNED)',
});

/** Of the newest sessions of a server; times are RADIUS's. */
export interface UltimasRow {
  nas: string;
  /** How many were looked at. */
  sessoes: number;
  abertas: number;
  /** When the last of them began. */
  inicio: string | null;
  /** When the server last ended sessions all at once. */
  reinicio: string | null;
}

const DAS_ULTIMAS = expressions<UltimasRow>({
  nas: 's.nas',
  sessoes: 's.sessoes',
  abertas: 's.abertas',
  inicio: 's.inicio',
  reinicio: 's.reinicio',
});

/** Sessions of a server that are looked at. */
const SESSOES_OLHADAS = 200;

export function createVisaoQueries(tenant: TenantDb) {
  return {
    /** Of the index alone. */
    contratosPorSituacao: async (situacoes: readonly string[]) =>
      rowsOf(
        tenant.from('contratos', 'contratos_situacao').whereIn('situacao', situacoes).groupBy('situacao'),
        POR_SITUACAO,
      ),

    /** Drops by server, since an instant and since a later one; both are whole hours. */
    quedas: async (desde: string, meiaNoite: string) =>
      rowsOf(
        tenant
          .from('rede_horas')
          .joinRaw('CROSS JOIN (SELECT CAST(? AS DATETIME) AS meia_noite) AS m', [meiaNoite])
          .where('hora', '>=', desde)
          .groupBy('nas'),
        DAS_QUEDAS,
      ),

    /** The newest sessions of each server, by the newest ids: one statement, of some rows a server. */
    async ultimas(enderecos: readonly string[]): Promise<Map<string, UltimasRow>> {
      if (enderecos.length === 0) return new Map();
      const rows = await rowsOfSql(
        tenant.db,
        DAS_ULTIMAS,
        (colunas) =>
          `SELECT /*+ MAX_EXECUTION_TIME(${READ_TIMEOUT_MS}) */ ${colunas} FROM (${enderecos
            .map(
              () =>
                `SELECT ? AS nas, COUNT(*) AS sessoes, COUNT(*) - COUNT(r.acctstoptime) AS abertas, MAX(r.acctstarttime) AS inicio,
                        MAX(IF(r.acctterminatecause = 'NAS-Reboot', r.acctstoptime, NULL)) AS reinicio
                   FROM (SELECT acctstarttime, acctstoptime, acctterminatecause FROM radacct FORCE INDEX (nasipaddress)
                          WHERE nasipaddress = ? ORDER BY radacctid DESC LIMIT ${SESSOES_OLHADAS}) AS r`,
            )
            .join(' UNION ALL ')}) AS s`,
        enderecos.flatMap((endereco) => [endereco, endereco]),
      );
      return new Map(rows.map((row) => [row.nas, row]));
    },
  };
}
