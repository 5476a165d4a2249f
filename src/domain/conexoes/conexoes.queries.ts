import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS, createTenantDb, sameTenant } from '../../platform/mysql/tenant.ts';
import type { ContratoConexaoRow, QuedasDiariasRow, RadacctRow } from './conexoes.types.ts';
import { JUNTAR_OUVIDAS, ULTIMO_SINAL } from './radacct.regras.ts';

export function createConexoesQueries(db: Db, provedorId: number) {
  const tenant = createTenantDb(db, provedorId);
  return {
    async buscarContrato(contratoId: number): Promise<ContratoConexaoRow | undefined> {
      const [row] = await tenant
        .from('contratos')
        .leftJoin('conexoes', sameTenant('contratos', 'id', 'conexoes', 'contrato_id'))
        .where('contratos.id', contratoId)
        .select<ContratoConexaoRow[]>({
          id: 'contratos.id',
          login: 'contratos.login',
          conexao_contrato_id: 'conexoes.contrato_id',
          ouvida_em: 'conexoes.ouvida_em',
          intervalo_segundos: 'conexoes.intervalo_segundos',
        });
      return row;
    },

    /** Drops of the local days from `primeiro` to `ultimo`, both included. */
    async quedasPorDia(contratoId: number, primeiro: string, ultimo: string): Promise<QuedasDiariasRow[]> {
      return await tenant
        .from('quedas_diarias')
        .where('contrato_id', contratoId)
        .whereBetween('dia', [primeiro, ultimo])
        .select<QuedasDiariasRow[]>('dia', 'quedas');
    },

    /**
     * Sessions of a login on the tenant's NASes that were active since `desde`, newest start first.
     *
     * The index is forced because a NAS holds far more sessions than a login: an optimizer that has not seen enough
     * rows yet starts from the NASes.
     */
    async sessoes(login: string, desde: Date, limite: number): Promise<RadacctRow[]> {
      return await db(db.raw('radacct AS r FORCE INDEX (username)'))
        .joinRaw(JUNTAR_OUVIDAS)
        .where('r.username', login)
        .whereIn('r.nasipaddress', tenant.from('provedores_nas').select('nasipaddress'))
        .whereRaw(`${ULTIMO_SINAL} >= CAST(? AS DATETIME)`, [toDatabaseTime(desde)])
        .select<RadacctRow[]>(
          'r.acctstarttime',
          'r.acctupdatetime',
          'r.acctstoptime',
          'r.acctinterval',
          'r.acctsessiontime',
          'r.acctterminatecause',
          'o.ouvida_em',
          'o.intervalo_anterior',
        )
        .orderByRaw('r.acctstarttime IS NULL, r.acctstarttime DESC, r.radacctid DESC')
        .limit(limite)
        .timeout(READ_TIMEOUT_MS);
    },
  };
}
