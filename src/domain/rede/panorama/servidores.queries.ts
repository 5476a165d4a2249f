import { columns, expressions, rowsOf, rowsOfSql } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS, sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';

export interface ServidorRow {
  nasipaddress: string;
  porta_coa: number;
  coa: number;
  porta_ate: string | null;
  nome: string | null;
  pop_id: number | null;
  pop_nome: string | null;
  pop_cidade: string | null;
  pop_uf: string | null;
}

const DO_SERVIDOR = columns<ServidorRow>('n', {
  nasipaddress: true,
  porta_coa: true,
  coa: true,
  porta_ate: true,
  nome: 'nas.shortname',
  pop_id: 'p.id',
  pop_nome: 'p.nome',
  pop_cidade: 'p.cidade',
  pop_uf: 'p.uf',
});

const LINHAS = columns<{ nas: string; online: number; offline: number }>('conexoes', {
  nas: true,
  online: 'CAST(SUM(conexoes.aberta = 1) AS UNSIGNED)',
  offline: 'CAST(SUM(conexoes.aberta = 0) AS UNSIGNED)',
});

const QUEDAS = columns<{ queda_nas: string | null; quedas: number }>('conexoes', {
  queda_nas: true,
  quedas: 'COUNT(*)',
});

const NOTICIA = expressions<{ nas: string; ouvida_em: string | null }>({ nas: 's.nas', ouvida_em: 's.ouvida_em' });

export function createServidoresQueries(tenant: TenantDb) {
  return {
    servidores: async (): Promise<ServidorRow[]> =>
      rowsOf(
        tenant
          .from('provedores_nas as n')
          .leftJoin('nas', 'nas.nasname', 'n.nasipaddress')
          .leftJoin('pops as p', sameTenant('n', 'pop_id', 'p', 'id'))
          .orderByRaw('INET_ATON(n.nasipaddress)'),
        DO_SERVIDOR,
      ),

    /** Lines by server, of the index alone. */
    linhas: async () => rowsOf(tenant.from('conexoes', 'conexoes_nas').whereNotNull('nas').groupBy('nas'), LINHAS),

    /** Lines that dropped since, by the server where they did. */
    quedasDesde: async (desde: Date) =>
      rowsOf(
        tenant.from('conexoes', 'conexoes_queda').where('queda_em', '>', toDatabaseTime(desde)).groupBy('queda_nas'),
        QUEDAS,
      ),

    /** When each server's newest sessions were heard of last: some of each, by the newest ids, which are those that tell something. */
    async noticias(enderecos: readonly string[]): Promise<Map<string, string | null>> {
      if (enderecos.length === 0) return new Map();
      const rows = await rowsOfSql(
        tenant.db,
        NOTICIA,
        (colunas) =>
          `SELECT /*+ MAX_EXECUTION_TIME(${READ_TIMEOUT_MS}) */ ${colunas} FROM (${enderecos
            .map(
              () =>
                `SELECT ? AS nas, MAX(o.ouvida_em) AS ouvida_em
                   FROM (SELECT radacctid FROM radacct FORCE INDEX (nasipaddress)
                          WHERE nasipaddress = ? ORDER BY radacctid DESC LIMIT ${SESSOES_OLHADAS}) AS r
                   JOIN sessoes_ouvidas o ON o.radacctid = r.radacctid`,
            )
            .join(' UNION ALL ')}) AS s`,
        enderecos.flatMap((endereco) => [endereco, endereco]),
      );
      return new Map(rows.map(({ nas, ouvida_em }) => [nas, ouvida_em]));
    },
  };
}

/** Sessions of a server that are looked at for news of it. */
const SESSOES_OLHADAS = 200;
