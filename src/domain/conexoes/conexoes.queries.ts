import { rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS, createTenantDb, sameTenant } from '../../platform/mysql/tenant.ts';
import { COLUNAS_DAS_QUEDAS, COLUNAS_DO_CONTRATO_COM_CONEXAO, COLUNAS_DO_RADACCT } from './conexoes.types.ts';
import type { ContratoConexaoRow, QuedasDiariasRow, RadacctRow } from './conexoes.types.ts';
import { JUNTAR_OUVIDAS, ULTIMO_SINAL } from './radacct.regras.ts';

export function createConexoesQueries(db: Db, provedorId: number) {
  const tenant = createTenantDb(db, provedorId);
  return {
    async buscarContrato(contratoId: number): Promise<ContratoConexaoRow | undefined> {
      const contrato = tenant
        .from('contratos')
        .leftJoin('conexoes', sameTenant('contratos', 'id', 'conexoes', 'contrato_id'))
        .where('contratos.id', contratoId);
      const [row] = await rowsOf(contrato, COLUNAS_DO_CONTRATO_COM_CONEXAO);
      return row;
    },

    /** Drops of the local days from `primeiro` to `ultimo`, both included. */
    async quedasPorDia(contratoId: number, primeiro: string, ultimo: string): Promise<QuedasDiariasRow[]> {
      const quedas = tenant.from('quedas_diarias').where('contrato_id', contratoId);
      return rowsOf(quedas.whereBetween('dia', [primeiro, ultimo]), COLUNAS_DAS_QUEDAS);
    },

    /**
     * Sessions of a login on the tenant's NASes that were active since `desde`, newest start first.
     *
     * The index is forced because a NAS holds far more sessions than a login: an optimizer that has not seen enough
     * rows yet starts from the NASes.
     */
    async sessoes(login: string, desde: Date, limite: number): Promise<RadacctRow[]> {
      const sessoes = db(db.raw('radacct AS r FORCE INDEX (username)'))
        .joinRaw(JUNTAR_OUVIDAS)
        .where('r.username', login)
        .whereIn('r.nasipaddress', tenant.from('provedores_nas').select('nasipaddress'))
        .whereRaw(`${ULTIMO_SINAL} >= CAST(? AS DATETIME)`, [toDatabaseTime(desde)])
        .orderByRaw('r.acctstarttime IS NULL, r.acctstarttime DESC, r.radacctid DESC')
        .limit(limite)
        .timeout(READ_TIMEOUT_MS);
      return rowsOf(sessoes, COLUNAS_DO_RADACCT);
    },
  };
}
